import { z } from 'zod'
import { accountKind } from '../accounting/ledger-codes.ts'
import { WalletEvent } from '../accounting/statement.ts'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { get } from '../kit/route.ts'
import { date, id, money, row, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ownerNames } from '../system/ownership.ts'
import { memberChannel } from './member-row.ts'

/** Every field of spec §3 'Member detail'. */
export type MemberInfo = z.infer<typeof MemberInfo>
export const MemberInfo = row({
  nickname: z.string(),
  memberId: z.string(),
  balance: money.describe('what was paid in and what was given'),
  rechargeBalance: money,
  phone: personal('phone').nullable(),
})

/** The accounts of a member, by what the ledger calls them. */
export const walletAccount = codes({
  paid: { code: accountKind.code.memberPaid, label: '充值余额' },
  gift: { code: accountKind.code.memberGift, label: '赠送余额' },
  paidHeld: { code: accountKind.code.memberPaidHeld, label: '充值冻结' },
  giftHeld: { code: accountKind.code.memberGiftHeld, label: '赠送冻结' },
  refunding: { code: accountKind.code.memberRefunding, label: '退款冻结' },
  giftRefunding: { code: accountKind.code.memberGiftRefunding, label: '赠送退款冻结' },
})

export type MemberDetail = z.infer<typeof MemberDetail>
export const MemberDetail = row({
  memberId: z.string(),
  nickname: z.string(),
  phone: personal('phone').nullable(),
  ...ownerNames,
  organiseId: z.string(),
  siteId: z.string().nullable(),
  status: enabledStatus.schema,
  recharged: money,
  consumed: money,
  registeredAt: time,
  lastConsumedAt: time.nullable(),
  wallets: z.array(row({ kind: walletAccount.schema, balance: money })),
  apps: z.array(row({ channel: memberChannel.schema, name: z.string(), linkedAt: time })),
})

export const memberOrderStatus = codes({
  starting: { code: 1, label: '启动中', tone: 'book' },
  charging: { code: 2, label: '充电中', tone: 'run' },
  billed: { code: 3, label: '已完成', tone: 'ok' },
  released: { code: 4, label: '已取消', tone: 'off' },
  review: { code: 5, label: '待复核', tone: 'warn' },
})

export type MemberOrder = z.infer<typeof MemberOrder>
export const MemberOrder = row({
  id: z.string(),
  deviceId: z.string(),
  deviceNo: z.string(),
  portNo: z.int(),
  siteId: z.string().nullable(),
  siteName: z.string().nullable(),
  status: memberOrderStatus.schema,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  durationS: z.int().nullable(),
  energyKwh: z.string().nullable().describe('with four decimals'),
  total: money,
  paid: money,
  gift: money,
})

const lists = [menuKey.wechatUser, menuKey.miniUser] as const
const params = row({ memberId: id })

/** One member, wherever they are named. */
export const memberInfo = {
  /** What pops up where a member stands in a list. */
  info: get('/wechat/api/wechat/member/getMemberInfoByMemberId', {
    access: { menu: [...lists, menuKey.balanceAdjustment, menuKey.accountDetail] },
    query: params,
    data: MemberInfo,
  }),
  read: get('/wechat/api/wechat/member/detail/{memberId}', { access: { menu: lists }, params, data: MemberDetail }),
  /** Charges of the member that the caller sees, the newest first. */
  orders: get('/wechat/api/wechat/member/orders/{memberId}', {
    access: { menu: lists },
    params,
    query: PageQuery,
    data: page(MemberOrder),
  }),
  /** Business events of one account of the member, the newest first. */
  statement: get('/wechat/api/wechat/member/statement/{memberId}', {
    access: { menu: lists },
    params,
    query: PageQuery.extend({
      kind: walletAccount.wire.default(walletAccount.code.paid),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(WalletEvent),
  }),
}
