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
import { blockScope } from './blacklist.ts'
import { memberChannel } from './member-row.ts'

/** Every field of spec §3 'Member detail'. */
export type MemberInfo = z.infer<typeof MemberInfo>
export const MemberInfo = row({
  nickname: z.string(),
  memberId: z.string(),
  balance: money.describe('recharged money plus gift money'),
  rechargeBalance: money,
  phone: personal('phone').nullable(),
})

/** The accounts of a member, by ledger account kind. */
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
  blocked: blockScope.schema.nullable().describe('what blocks bar the member from; null: nothing'),
  balance: money.describe('recharged plus gift money'),
  frozen: money.describe('reserved for open charges'),
  charging: z.int().describe('open charges'),
  recharged: money,
  consumed: money,
  registeredAt: time,
  lastConsumedAt: time.nullable(),
  wallets: z.array(row({ kind: walletAccount.schema, balance: money })),
  apps: z.array(row({ channel: memberChannel.schema, name: z.string(), linkedAt: time })),
})

const lists = [menuKey.wechatUser, menuKey.miniUser] as const
const params = row({ memberId: id })

/** One member, reachable from every list that names members. */
export const memberInfo = {
  /** The data of the popover of a member in a list. */
  info: get('/wechat/api/wechat/member/getMemberInfoByMemberId', {
    access: { menu: [...lists, menuKey.balanceAdjustment, menuKey.accountDetail] },
    query: params,
    data: MemberInfo,
  }),
  read: get('/wechat/api/wechat/member/detail/{memberId}', { access: { menu: lists }, params, data: MemberDetail }),
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
