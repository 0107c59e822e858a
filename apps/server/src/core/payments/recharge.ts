import { sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { balancesOf, type Posting, post } from '../ledger/ledger.ts'
import type { PaidHook } from './pay-hooks.ts'
import { payNo, payTime } from './pay-numbers.ts'
import type { LockedPay } from './pay-order.store.ts'
import { storedRecharge } from './stored-status.ts'

const { waiting, paid, cancelled } = storedRecharge.number
type Wanted = { id: string; memberId: string; giftFen: bigint }

/** A recharge of a member's wallet: what was paid, and what the tier promised on top when it was asked for. */
export const rechargeHook: PaidHook = {
  paid: async (db, scope, pay) => {
    const wanted = await lockWanted(db, pay)
    await post(db, postingsOf(pay, wanted))
    const owner = wanted.memberId
    const [own = 0n, gift = 0n] = await balancesOf(db, pay.organiseId, [
      { account: 'memberPaid', owner },
      { account: 'memberGift', owner },
    ])
    // The wallet is locked since the posting, so this is what it held right after, and right before.
    const after = own + gift
    const before = after - pay.amountFen - wanted.giftFen
    await sql`update recharge_order set status = ${paid}, paid_at = now(), before_fen = ${before.toString()}, after_fen = ${after.toString()}
      where id = ${wanted.id}`.execute(db)
    await sql`update member set recharged_fen = recharged_fen + ${pay.amountFen.toString()} where id = ${owner}`.execute(
      db,
    )
    await tellLists(db, pay)
  },
  closed: async (db, pay) => {
    await sql`update recharge_order set status = ${cancelled}, cancelled_at = now() where id = ${pay.refId} and status = ${waiting}`.execute(
      db,
    )
    await tellLists(db, pay)
  },
}

async function lockWanted(db: Db, pay: LockedPay): Promise<Wanted> {
  const { rows } = await sql<{ id: string; memberId: string; giftFen: string }>`
    select id, member_id as "memberId", gift_fen as "giftFen" from recharge_order where id = ${pay.refId} and status = ${waiting} for update`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error(`payment ${pay.id} is for a recharge that does not wait`)
  return { ...row, giftFen: BigInt(row.giftFen) }
}

function postingsOf(pay: LockedPay, { memberId, giftFen }: Wanted): Posting[] {
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
    lines: [
      { account: 'giftCost', owner: '0', fen: -giftFen },
      { account: 'memberGift', owner: memberId, fen: giftFen },
    ],
  }
  return giftFen > 0n ? [recharge, gift] : [recharge]
}

async function tellLists(db: Db, { organiseId, agentId, siteId }: LockedPay): Promise<void> {
  const place = { organise_id: organiseId, agent_id: agentId, site_id: siteId }
  await publishToOrganisation(db, place, { kind: 'changed', list: 'rechargeRecord' })
  await publishToOrganisation(db, place, { kind: 'changed', list: 'member' })
}
