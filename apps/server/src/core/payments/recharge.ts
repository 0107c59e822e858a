import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { balancesOf, type Posting, post } from '../ledger/ledger.ts'
import type { PaidHook } from './pay-hooks.ts'
import { payNo, payTime } from './pay-numbers.ts'
import type { LockedPay } from './pay-order.store.ts'
import { storedRecharge } from './stored-status.ts'

const { waiting, paid, cancelled } = storedRecharge.number
type WaitingRecharge = { id: string; memberId: string; giftFen: bigint; giftValidDays: number | null }

/** A recharge of a member's wallet: the paid amount, and the gift of the tier at the time of the request. */
export const rechargeHook: PaidHook = {
  paid: async (db, scope, pay) => {
    const recharge = await lockRecharge(db, pay)
    await post(db, postingsOf(pay, recharge))
    const owner = recharge.memberId
    const [own = 0n, gift = 0n] = await balancesOf(db, pay.organiseId, [
      { account: 'memberPaid', owner },
      { account: 'memberGift', owner },
    ])
    // The posting locks the wallet, so these are the balances directly before and after it.
    const after = own + gift
    const before = after - pay.amountFen - recharge.giftFen
    await sql`update recharge_order set status = ${paid}, paid_at = now(), before_fen = ${before.toString()}, after_fen = ${after.toString()}
      where id = ${recharge.id}`.execute(db)
    await sql`update member set recharged_fen = recharged_fen + ${pay.amountFen.toString()} where id = ${owner}`.execute(
      db,
    )
    await publishLists(db, pay)
  },
  closed: async (db, pay) => {
    await sql`update recharge_order set status = ${cancelled}, cancelled_at = now() where id = ${pay.refId} and status = ${waiting}`.execute(
      db,
    )
    await publishLists(db, pay)
  },
}

async function lockRecharge(db: Db, pay: LockedPay): Promise<WaitingRecharge> {
  const { rows } = await sql<{ id: string; memberId: string; giftFen: string; giftValidDays: number | null }>`
    select id, member_id as "memberId", gift_fen as "giftFen", gift_valid_days as "giftValidDays" from recharge_order where id = ${pay.refId} and status = ${waiting} for update`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error(`payment ${pay.id} is for a recharge that is not waiting`)
  return { ...row, giftFen: BigInt(row.giftFen) }
}

function postingsOf(pay: LockedPay, { memberId, giftFen, giftValidDays }: WaitingRecharge): Posting[] {
  const common = { keyAt: payTime(pay.id), place: pay, ref: payNo(pay.id) }
  const recharge: Posting = {
    ...common,
    key: `pay/${pay.id}/paid`,
    kind: 'recharge',
    lines: [
      { account: 'channel', owner: String(pay.provider), fen: -pay.amountFen },
      { account: 'memberPaid', owner: memberId, fen: pay.amountFen },
    ],
  }
  const gift: Posting = {
    ...common,
    key: `pay/${pay.id}/gift`,
    kind: 'gift',
    ...(giftValidDays === null ? {} : { giftValidDays }),
    lines: [
      { account: 'giftCost', owner: '0', fen: -giftFen },
      { account: 'memberGift', owner: memberId, fen: giftFen },
    ],
  }
  return giftFen > 0n ? [recharge, gift] : [recharge]
}

async function publishLists(db: Db, { organiseId, agentId, siteId }: LockedPay): Promise<void> {
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  await publishToOrganisation(db, place, { kind: 'changed', list: 'rechargeRecord' })
  await publishToOrganisation(db, place, { kind: 'changed', list: 'member' })
}
