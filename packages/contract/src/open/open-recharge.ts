import { z } from 'zod'
import { payProvider, payWay, rechargeStatus } from '../accounting/pay-codes.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { get, post } from '../kit/route.ts'
import { id, money, row, text, time, yuan } from '../kit/wire.ts'

export type OpenRecharge = z.infer<typeof OpenRecharge>
export const OpenRecharge = row({
  rechargeNo: z.string(),
  memberId: z.string(),
  amount: money,
  gift: money.describe('on top, once it is paid'),
  provider: payProvider.schema,
  status: rechargeStatus.schema,
  codeUrl: z.string().nullable().describe('text of the code to scan; null until the provider has answered'),
  handOver: row({}).catchall(z.string()).nullable().describe('what the page inside the app hands to the app'),
  failure: z.string().nullable().describe('in words, where it could not be sent'),
  createdAt: time,
  expiresAt: time,
  paidAt: time.nullable(),
})

/**
 * A member puts money into the wallet. The recharge and its payment say who asked for what and what became of it, and are
 * never removed: a line in the log beside them would say nothing more.
 */
export const openRecharge = {
  tiers: get('/open/api/rechargeTiers', {
    access: 'signed',
    data: row({ rows: z.array(row({ tierId: z.string(), pay: money, gift: money })) }),
  }),
  add: post('/open/api/recharge', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({
      memberId: id,
      amount: yuan.optional().describe('either this or a tier'),
      tierId: id.optional(),
      provider: payProvider.wire,
      way: payWay.wire,
      openId: aboutPerson(text(64, 'OpenID')).optional().describe('who pays, inside the app'),
    }),
    data: row({ rechargeNo: z.string() }),
  }),
  read: get('/open/api/recharge', { access: 'signed', query: row({ rechargeNo: id }), data: OpenRecharge }),
  cancel: post('/open/api/recharge/cancel', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({ rechargeNo: id }),
    data: row({ rechargeNo: z.string() }),
  }),
}
