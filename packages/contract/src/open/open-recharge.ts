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
  gift: money.describe('credited on top after payment'),
  giftValidDays: z.int().nullable().describe('days after the day of payment; null: the gift never expires'),
  provider: payProvider.schema,
  status: rechargeStatus.schema,
  codeUrl: z.string().nullable().describe('text of the code to scan; null until the provider has answered'),
  handOver: row({})
    .catchall(z.string())
    .nullable()
    .describe('payment parameters that the in-app page passes to the app'),
  failure: z.string().nullable().describe('reason as text if the request could not be sent'),
  createdAt: time,
  expiresAt: time,
  paidAt: time.nullable(),
})

/**
 * A member recharges the wallet. The recharge and its payment record the request and its result permanently, so an
 * audit log entry would add nothing.
 */
export const openRecharge = {
  tiers: get('/open/api/rechargeTiers', {
    access: 'signed',
    query: row({ memberId: id.optional().describe('the plan of the member; without it, of the organisation') }),
    data: row({
      rows: z.array(row({ tierId: z.string(), pay: money, gift: money })),
      min: money.nullable().describe('least custom amount; null: no minimum'),
      allowsCustom: z.boolean().describe('a custom amount is accepted besides the tiers'),
      giftValidDays: z.int().nullable().describe('days after the day of payment; null: a gift never expires'),
    }),
  }),
  add: post('/open/api/recharge', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({
      memberId: id,
      amount: yuan.optional().describe('either amount or tierId'),
      tierId: id.optional(),
      provider: payProvider.wire,
      way: payWay.wire,
      openId: aboutPerson(text(64, 'OpenID')).optional().describe('payer, for in-app payments'),
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
