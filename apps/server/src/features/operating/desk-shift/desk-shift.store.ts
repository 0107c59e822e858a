import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type deskShift, shiftFlow, shiftStatus } from '@wattdeck/contract/operating/desk-shift.ts'
import { offlineStatus } from '@wattdeck/contract/operating/offline-recharge.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { planByValues } from '../../../kit/db/paging.ts'

const { waiting, approved, turnedDown } = offlineStatus.code
const isOpen = sql`desk_shift.status = ${sql.lit(shiftStatus.code.open)}`
/** Recharges whose cash the clerk has: rejected and withdrawn ones went back to the payer. */
const counting = sql`offline_recharge.status in (${sql.lit(waiting)}, ${sql.lit(approved)})`
const ofShift = sql`from offline_recharge where offline_recharge.shift_id = desk_shift.id`

/** `readerId` is the reader, who cannot receive the cash of their own shift. Exports do not need it. */
export const shiftSource = (readerId = '0'): Source => ({
  table: 'desk_shift',
  computed: {
    serialNo: sql`'JB' || lpad(desk_shift.id::text, greatest(8, length(desk_shift.id::text)), '0')`,
    recharges: sql`case when ${isOpen} then (select count(*)::int ${ofShift} and ${counting}) else desk_shift.recharges end`,
    expected: sql`case when ${isOpen} then (select coalesce(sum(amount_fen), 0)::bigint ${ofShift} and ${counting}) else desk_shift.expected_fen end`,
    short: sql`desk_shift.counted_fen - desk_shift.expected_fen`,
    rejected: sql`(select coalesce(sum(amount_fen), 0)::bigint ${ofShift} and offline_recharge.status = ${sql.lit(turnedDown)} and after_shift)`,
    own: sql`desk_shift.clerk_id = ${readerId}`,
  },
  own: async ({ clerkId, shiftId }: QueryOf<typeof deskShift.list>, { db, scope }) => {
    await planByValues(db)
    return [
      ...(scope.level > 0 ? [sql<boolean>`desk_shift.organise_id = ${scope.organiseId}`] : []),
      ...ifGiven(clerkId, (value) => sql<boolean>`desk_shift.clerk_id = ${value}`),
      ...ifGiven(shiftId, (value) => sql<boolean>`desk_shift.id = ${value}`),
    ]
  },
})

type Open = { id: string; organiseId: string; organiseName: string; openedAt: string }
export async function openShiftsOf(db: Db, clerkId: string): Promise<Open[]> {
  return db
    .selectFrom('desk_shift')
    .select(['id', 'organise_id as organiseId', 'opened_at as openedAt'])
    .select(sql<string>`(select name from organise where organise.id = desk_shift.organise_id)`.as('organiseName'))
    .where('clerk_id', '=', clerkId)
    .where('status', '=', shiftStatus.code.open)
    .orderBy('id')
    .execute()
}

/** The cash that the clerk should have. */
export async function cashOf(db: Db, shiftId: string) {
  const { rows } = await sql<{ recharges: number; waiting: number; fen: string }>`
    select count(*)::int as recharges, count(*) filter (where status = ${waiting})::int as waiting,
      coalesce(sum(amount_fen), 0)::text as fen
    from offline_recharge
    where shift_id = ${shiftId} and ${counting}`.execute(db)
  const [row] = rows
  return { recharges: row?.recharges ?? 0, waiting: row?.waiting ?? 0, fen: BigInt(row?.fen ?? '0') }
}

const locked = (db: Db, id: string) =>
  db
    .selectFrom('desk_shift')
    .select(['id', 'organise_id as organiseId', 'agent_id as agentId', 'site_id as siteId', 'status'])
    .select(['clerk_id as createdById', 'clerk', 'counted_fen'])
    .where('id', '=', id)
    .forUpdate()

/** A shift in scope, locked until the transaction ends. */
export const findShift = (db: Db, id: string) => locked(db, id).executeTakeFirst()

/** A shift of this clerk, locked: until the transaction ends no cash enters or leaves it. */
export const findOwnShift = (db: Db, id: string, clerkId: string) =>
  locked(db, id).where('clerk_id', '=', clerkId).executeTakeFirst()

type Closing = { recharges: number; expectedFen: bigint; countedFen: bigint; reason: string | undefined }
export async function closeShift(db: Db, id: string, clerkId: string, closing: Closing): Promise<boolean> {
  const changed = await db
    .updateTable('desk_shift')
    .set({
      status: shiftFlow.to('close'),
      closed_at: sql<string>`now()`,
      recharges: closing.recharges,
      expected_fen: closing.expectedFen.toString(),
      counted_fen: closing.countedFen.toString(),
      reason: closing.reason ?? null,
    })
    .where('id', '=', id)
    .where('clerk_id', '=', clerkId)
    .where('status', '=', sql<number>`any(${shiftFlow.from('close')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

type Receipt = { by: { id: string; name: string }; receivedFen: bigint; reason: string | undefined }
export async function receiveCash(db: Db, id: string, { by, receivedFen, reason }: Receipt): Promise<boolean> {
  const changed = await db
    .updateTable('desk_shift')
    .set({
      status: shiftFlow.to('confirm'),
      received_by_id: by.id,
      received_by: by.name,
      received_at: sql<string>`now()`,
      received_fen: receivedFen.toString(),
      received_reason: reason ?? null,
    })
    .where('id', '=', id)
    .where('clerk_id', '<>', by.id)
    .where('status', '=', sql<number>`any(${shiftFlow.from('confirm')})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
