import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { whitelistFlow } from '@wattdeck/contract/member/whitelist-codes.ts'
import type { whitelist } from '@wattdeck/contract/member/whitelist.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { type Condition, ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import type { Place } from '../../_shared/place.store.ts'

function keywordCondition(keyword: string): Condition {
  const meanings: RawBuilder<boolean>[] = [
    sql<boolean>`starts_with(whitelist_entry.name, ${keyword})`,
    ...(/^1\d{10}$/.test(keyword) ? [sql<boolean>`whitelist_entry.phone = ${keyword}`] : []),
    ...(/^\d{4,20}$/.test(keyword)
      ? [
          sql<boolean>`whitelist_entry.card_id in (
            select card.id from stored_card card
            where card.organise_id = whitelist_entry.organise_id and card.card_no = ${keyword}
          )`,
        ]
      : []),
  ]
  return sql<boolean>`(${sql.join(meanings, sql` or `)})`
}

/** `readerId` is the reader, who must not decide on their own requests. Exports do not need it. */
export const whitelistSource = (readerId = '0'): Source => ({
  table: 'whitelist_entry',
  computed: {
    cardNo: sql`(select card_no from stored_card where stored_card.id = whitelist_entry.card_id)`,
    used: sql`(select count(*)::int from whitelist_use use where use.entry_id = whitelist_entry.id and use.returned_at is null)`,
    own: sql`whitelist_entry.created_by_id = ${readerId}`,
  },
  own: ({ keyword }: QueryOf<typeof whitelist.list>, { scope }) => [
    ...withinOrganise('whitelist_entry', scope),
    ...ifGiven(keyword, keywordCondition),
  ],
})

/** A card of the organisation, with the phone of its holder if known. */
export async function findCard(db: Db, organiseId: string, cardNo: string) {
  return db
    .selectFrom('stored_card')
    .leftJoin('member', 'member.id', 'stored_card.member_id')
    .select(['stored_card.id', 'member.phone'])
    .where('stored_card.organise_id', '=', organiseId)
    .where('card_no', '=', cardNo)
    .executeTakeFirst()
}

/** Serialises the entries of an organisation until the transaction ends: two at once could otherwise both be the first. */
export const lockEntries = (db: Db, organiseId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('whitelist', ${organiseId}::bigint))`.execute(db)

/** Whether an entry of this person with the same place and overlapping days exists. */
export async function overlaps(
  db: Db,
  place: Place,
  entry: Pick<NewEntry, 'phone' | 'card_id' | 'starts_on' | 'ends_on'>,
) {
  const { rows } = await sql`
    select 1
    from whitelist_entry
    where organise_id = ${place.organise_id}
      and agent_id is not distinct from ${place.agent_id}
      and site_id is not distinct from ${place.site_id}
      and (phone = ${entry.phone} or card_id = ${entry.card_id})
      and status = any(${whitelistFlow.from('stop')}::smallint[])
      and starts_on <= ${entry.ends_on} and ends_on >= ${entry.starts_on}
    limit 1`.execute(db)
  return rows.length > 0
}

type NewEntry = {
  name: string
  phone: string | null
  card_id: string | null
  rule: number
  off_bp: number | null
  off_fen: number | null
  pay_fen: number | null
  free_dwh: number | null
  times: number | null
  day_times: number
  scope: number
  funder: number
  starts_on: string
  ends_on: string
  remark: string | null
  created_by_id: string
  created_by: string
}
export async function addEntry(db: Db, place: Place, entry: NewEntry): Promise<string> {
  const row = await db
    .insertInto('whitelist_entry')
    .values({ ...place, ...entry })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** An entry in scope, locked until the transaction ends. */
export const findEntry = (db: Db, id: string) =>
  db
    .selectFrom('whitelist_entry')
    .select(['id', 'organise_id as organiseId', 'agent_id as agentId', 'site_id as siteId', 'name', 'rule'])
    .select('created_by_id as createdById')
    .select(
      sql<string | null>`coalesce(phone, (
        select member.phone from stored_card card join member on member.id = card.member_id where card.id = whitelist_entry.card_id
      ))`.as('phone'),
    )
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Decision = { as: 'approve' | 'turnDown'; byId: string; by: string; reason: string | null }
export async function decide(db: Db, id: string, decision: Decision): Promise<boolean> {
  const changed = await db
    .updateTable('whitelist_entry')
    .set({
      status: whitelistFlow.to(decision.as),
      decided_by_id: decision.byId,
      decided_by: decision.by,
      decided_at: sql<string>`now()`,
      decision: decision.reason,
    })
    .where('id', '=', id)
    .where('created_by_id', '<>', decision.byId)
    .where('status', '=', sql<number>`any(${whitelistFlow.from(decision.as)})`)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

export async function stop(db: Db, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update whitelist_entry
    set status = ${whitelistFlow.to('stop')}
    where id = any(${ids}::bigint[]) and status = any(${whitelistFlow.from('stop')}::smallint[])`.execute(db)
  return Number(numAffectedRows)
}

/** A later end is a new request, whose maker is the caller. */
export async function extend(db: Db, ids: readonly string[], endsOn: string, by: { id: string; name: string }) {
  const { numAffectedRows } = await sql`
    update whitelist_entry
    set
      ends_on = ${endsOn},
      status = ${whitelistFlow.to('ask')},
      created_by_id = ${by.id},
      created_by = ${by.name},
      decided_by_id = null,
      decided_by = null,
      decided_at = null
    where id = any(${ids}::bigint[])
      and status = any(${whitelistFlow.from('ask')}::smallint[])
      and ends_on < ${endsOn}`.execute(db)
  return Number(numAffectedRows)
}
