import { cardBuyStatus } from '@wattdeck/contract/order/member-card-codes.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { post } from '../ledger/ledger.ts'
import type { PaidHook } from './pay-hooks.ts'
import { payNo, payTime } from './pay-numbers.ts'
import type { LockedPay } from './pay-order.store.ts'

const { waiting, paid, cancelled } = cardBuyStatus.code

/** A pass that a member buys. What was paid is deferred income of the pass until its days have passed. */
export const passSaleHook: PaidHook = {
  paid: async (db, scope, pay) => {
    const passId = await addPass(db, pay)
    await post(db, [
      {
        key: `pay/${pay.id}/paid`,
        keyAt: payTime(pay.id),
        place: pay,
        kind: 'passSale',
        ref: payNo(pay.id),
        lines: [
          { account: 'channel', owner: String(pay.provider), fen: -pay.amountFen },
          { account: 'planDeferred', owner: passId, fen: pay.amountFen },
        ],
      },
    ])
    await publishChange(db, pay)
  },
  closed: async (db, pay) => {
    await sql`
      update plan_order set status = ${cancelled}, cancelled_at = now()
      where id = ${pay.refId} and status = ${waiting}`.execute(db)
    await publishChange(db, pay)
  },
}

/** Serialises the purchases of a member until the transaction ends: limits and the first day of a renewal depend on them. */
export const lockPurchases = (db: Db, memberId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('pass', ${memberId}::bigint))`.execute(db)

/** The pass begins today, or the day after the last pass of the same plan: a renewal loses no day. */
async function addPass(db: Db, pay: LockedPay): Promise<string> {
  await lockPurchases(db, pay.memberId ?? '')
  const bought = await sql`
    update plan_order set status = ${paid}, paid_at = now()
    where id = ${pay.refId} and status = ${waiting} and amount_fen = ${pay.amountFen.toString()}`.execute(db)
  if (bought.numAffectedRows !== 1n) throw new Error(`payment ${pay.id} is for a pass that is not waiting`)
  const { rows } = await sql<{ id: string }>`
    insert into member_plan (organise_id, agent_id, site_id, member_id, plan_id, version_id, order_id, price_fen, from_on, to_on)
    select sale.organise_id, sale.agent_id, sale.site_id, sale.member_id, sale.plan_id, sale.version_id, sale.id, sale.amount_fen,
      first.day, first.day + version.days - 1
    from plan_order sale
    join monthly_plan_version version on version.id = sale.version_id
    cross join lateral (
      select greatest((now() at time zone 'Asia/Shanghai')::date, max(earlier.to_on) + 1) as day
      from member_plan earlier
      where earlier.member_id = sale.member_id and earlier.plan_id = sale.plan_id
    ) first
    where sale.id = ${pay.refId}
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

async function publishChange(db: Db, { organiseId, agentId, siteId }: LockedPay): Promise<void> {
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  await publishToOrganisation(db, place, { kind: 'changed', list: 'memberCardBuy' })
}
