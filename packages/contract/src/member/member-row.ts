import { z } from 'zod'
import { enabledStatus } from '../common.ts'
import { codes } from '../kit/codes.ts'
import { PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { date, id, money, personKeyword, row, time } from '../kit/wire.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'

/** Through what a member came: the same person may come through both, with one wallet. */
export const memberChannel = codes({
  publicAccount: { code: 1, label: '公众号' },
  miniProgram: { code: 2, label: '小程序' },
})

export const followStatus = codes({
  following: { code: 1, label: '已关注', tone: 'ok' },
  away: { code: 0, label: '未关注', tone: 'off' },
})

/** The two parts of a wallet: what was paid in can be paid back, what was given cannot. */
export const wallet = codes({
  paid: { code: 1, label: '充值余额', tone: 'run' },
  gift: { code: 2, label: '赠送余额', tone: 'book' },
})

/** A member as one app knows them: what both lists of members show. Money is in yuan. */
export type MemberRow = z.infer<typeof MemberRow>
export const MemberRow = row({
  id: z.string().describe('of the member in this app'),
  memberId: z.string(),
  nickname: z.string(),
  phone: personal('phone').nullable(),
  openId: personal('openId'),
  unionId: personal('openId').nullable(),
  appName: z.string(),
  ...ownerNames,
  balance: money.describe('what was paid in and what was given'),
  paidBalance: money,
  giftBalance: money,
  frozen: money.describe('held for charges under way, beside the balance'),
  recharged: money.describe('paid in so far'),
  consumed: money.describe('spent so far'),
  following: followStatus.schema,
  status: enabledStatus.schema,
  registeredAt: time.describe('when the member first came through this app'),
  lastConsumedAt: time.nullable(),
  lastLoginAt: time.nullable(),
})

/** What both lists are narrowed by. */
export const MemberQuery = PageQuery.extend({
  keyword: personKeyword.optional().describe('a whole phone, the number of the member, or how the nickname begins'),
  appId: id.optional(),
  ...ownerIds,
  from: date.optional(),
  to: date.optional(),
})

export const MemberApps = z.array(row({ id: z.string(), name: z.string(), organiseName: z.string() }))

/** What both lists show; each adds what only its own channel has. */
const common = {
  memberId: '用户ID',
  nickname: '昵称',
  phone: '手机号',
  openId: 'OpenID',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  balance: '余额',
  paidBalance: '充值余额',
  giftBalance: '赠送余额',
  frozen: '冻结',
  recharged: '累计充值',
  consumed: '累计消费',
  registeredAt: '注册时间',
  lastConsumedAt: '最近消费',
} as const
export const wechatColumns = { ...common, appName: '公众号', following: '关注状态' } as const
export const miniColumns = {
  ...common,
  unionId: 'UnionID',
  appName: '小程序',
  status: '状态',
  lastLoginAt: '最近登录',
} as const
