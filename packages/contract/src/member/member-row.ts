import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { row } from '../kit/wire.ts'

/** The channel of a member's registration; one person may use both, with one wallet. */
export const memberChannel = codes({
  publicAccount: { code: 1, label: '公众号' },
  miniProgram: { code: 2, label: '小程序' },
})

export const followStatus = codes({
  following: { code: 1, label: '已关注', tone: 'ok' },
  away: { code: 0, label: '未关注', tone: 'off' },
})

/** The two parts of a wallet: paid money is refundable, gift money is not. */
export const wallet = codes({
  paid: { code: 1, label: '充值余额', tone: 'run' },
  gift: { code: 2, label: '赠送余额', tone: 'book' },
})

export const MemberApps = z.array(row({ id: z.string(), name: z.string(), organiseName: z.string() }))
