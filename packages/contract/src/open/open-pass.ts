import { z } from 'zod'
import { payProvider, payWay } from '../accounting/pay-codes.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { get, post } from '../kit/route.ts'
import { date, id, money, row, text, time } from '../kit/wire.ts'
import { cardBuyStatus, passPhase } from '../order/member-card-codes.ts'

const terms = {
  name: z.string(),
  days: z.int().describe('valid days'),
  minutes: z.int().nullable().describe('covered minutes of one charge; null: covered by energy'),
  energyDwh: z.int().nullable().describe('covered energy of one charge in 1/10000 kWh; null: covered by minutes'),
  dayTimes: z.int().describe('charges a day'),
  monthTimes: z.int().nullable().describe('charges in a calendar month; null: no limit'),
}

/**
 * A member buys a pass. The order and its payment record the request and its result permanently, so an audit log entry
 * would add nothing.
 */
export const openPass = {
  plans: get('/open/api/passPlans', {
    access: 'signed',
    query: row({ memberId: id, siteId: id.optional().describe('only plans that apply at this site') }),
    data: row({ rows: z.array(row({ planId: z.string(), price: money, ...terms })) }),
  }),
  /** The price is that of the plan now; the caller does not send one. */
  add: post('/open/api/pass', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({
      memberId: id,
      planId: id,
      provider: payProvider.wire,
      way: payWay.wire,
      openId: aboutPerson(text(64, 'OpenID')).optional().describe('payer, for in-app payments'),
    }),
    data: row({ passOrderNo: z.string() }),
  }),
  read: get('/open/api/passOrder', {
    access: 'signed',
    query: row({ passOrderNo: id }),
    data: row({
      passOrderNo: z.string(),
      memberId: z.string(),
      price: money,
      ...terms,
      provider: payProvider.schema,
      status: cardBuyStatus.schema,
      codeUrl: z.string().nullable().describe('text of the code to scan; null until the provider has answered'),
      handOver: row({})
        .catchall(z.string())
        .nullable()
        .describe('payment parameters that the in-app page passes to the app'),
      failure: z.string().nullable().describe('reason as text if the request could not be sent'),
      createdAt: time,
      expiresAt: time,
      paidAt: time.nullable(),
      fromOn: date.nullable().describe('first day of the pass; null before payment'),
      toOn: date.nullable().describe('last day of the pass'),
    }),
  }),
  cancel: post('/open/api/passOrder/cancel', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({ passOrderNo: id }),
    data: row({ passOrderNo: z.string() }),
  }),
  /** The passes of a member that have not ended, and those that ended within the last ninety days. */
  passes: get('/open/api/passes', {
    access: 'signed',
    query: row({ memberId: id }),
    data: row({
      rows: z.array(
        row({
          passId: z.string(),
          ...terms,
          fromOn: date,
          toOn: date,
          phase: passPhase.schema,
          usedToday: z.int(),
          usedThisMonth: z.int(),
          inUse: z.boolean().describe('a charge is running with this pass'),
        }),
      ),
    }),
  }),
}
