import { blockStatus, type blacklist } from '@wattdeck/contract/member/blacklist.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { type RawBuilder, sql } from 'kysely'
import { isInEffect } from '../../../core/charging/member-block.store.ts'
import type { Db } from '../../../kit/db/db.ts'
import { type Condition, ifGiven, type Source } from '../../../kit/db/list-query.ts'
import { withinOrganise } from '../../../kit/db/ownership.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import type { Place } from '../../_shared/place.store.ts'

const { active, lifted, expired } = blockStatus.code

const statusSql = sql<number>`(case
  when member_block.lifted_by_id is not null then ${sql.lit(lifted)}
  when ${isInEffect} then ${sql.lit(active)}
  else ${sql.lit(expired)}
end)`

/** A whole phone, a member id, or a whole card number. Any other keyword matches nothing. */
function keywordCondition(keyword: string): Condition {
  const meanings: RawBuilder<boolean>[] = [
    ...(/^1\d{10}$/.test(keyword) ? [sql<boolean>`member_block.phone = ${keyword}`] : []),
    ...(/^[1-9]\d{0,17}$/.test(keyword) ? [sql<boolean>`member_block.member_id = ${keyword}`] : []),
    ...(/^\d{4,20}$/.test(keyword)
      ? [
          sql<boolean>`member_block.card_id in (
            select card.id from stored_card card
            where card.organise_id = member_block.organise_id and card.card_no = ${keyword}
          )`,
        ]
      : []),
  ]
  return meanings.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(meanings, sql` or `)})`
}

/** Whether the reader's place covers the place that added the block. */
const mayLiftSql = ({ level, agentIds, siteIds }: Scope): RawBuilder<boolean> => {
  if (level < 2) return sql<boolean>`true`
  return level === 2
    ? sql<boolean>`coalesce(member_block.by_agent_id = any(${agentIds}::bigint[]), false)`
    : sql<boolean>`coalesce(member_block.by_site_id = any(${siteIds}::bigint[]), false)`
}

/** The file needs no reader: it does not show who may lift a block. */
export const blockSource = (reader?: Scope): Source => ({
  table: 'member_block',
  computed: {
    nickname: sql`(select nickname from member where member.id = member_block.member_id)`,
    cardNo: sql`(select card_no from stored_card where stored_card.id = member_block.card_id)`,
    status: statusSql,
    endedAt: sql`coalesce(member_block.lifted_at, member_block.ends_at)`,
    mayLift: reader === undefined ? sql`false` : mayLiftSql(reader),
  },
  own: ({ keyword }: QueryOf<typeof blacklist.list>, { scope }) => [
    ...withinOrganise('member_block', scope),
    ...ifGiven(keyword, keywordCondition),
  ],
})

/** Every known key of a person, and the place that the block belongs to. */
export type KnownPerson = Place & { member_id: string | null; phone: string | null; card_id: string | null }

const memberColumns = sql`member.organise_id, member.agent_id, member.site_id, member.id as member_id, member.phone`

/** A member in scope. */
export async function findMember(db: Db, memberId: string): Promise<KnownPerson | undefined> {
  const { rows } = await sql<KnownPerson>`
    select ${memberColumns}, null as card_id from member where member.id = ${memberId}`.execute(db)
  return rows[0]
}

/** The member of a phone, if the caller sees one. */
export async function findMemberByPhone(db: Db, organiseId: string, phone: string): Promise<KnownPerson | undefined> {
  const { rows } = await sql<KnownPerson>`
    select ${memberColumns}, null as card_id
    from member
    where member.organise_id = ${organiseId} and member.phone = ${phone}`.execute(db)
  return rows[0]
}

/** A card in scope, with its holder if the caller sees that member. */
export async function findCard(db: Db, organiseId: string, cardNo: string): Promise<KnownPerson | undefined> {
  const { rows } = await sql<KnownPerson>`
    select
      card.organise_id,
      case when member.id is null then card.agent_id else member.agent_id end as agent_id,
      case when member.id is null then card.site_id else member.site_id end as site_id,
      member.id as member_id,
      member.phone,
      card.id as card_id
    from stored_card card
    left join member on member.id = card.member_id
    where card.organise_id = ${organiseId} and card.card_no = ${cardNo}`.execute(db)
  return rows[0]
}

/**
 * Closes expired blocks of the person, which would otherwise stand in the way of a new one. Blocks of other places count,
 * so the scope must be that of the whole organisation.
 */
export async function closeExpired(db: Db, { organise_id, member_id, phone, card_id }: KnownPerson): Promise<void> {
  await sql`
    update member_block
    set lifted_at = ends_at
    where organise_id = ${organise_id}
      and lifted_at is null
      and ends_at <= now()
      and (member_id = ${member_id} or phone = ${phone} or card_id = ${card_id})`.execute(db)
}

type NewBlock = KnownPerson & {
  scope: number
  reason: string
  /** The last day of the block, to its end. */
  endsOn: string | null
  created_by_id: string
  created_by: string
  by_agent_id: string | null
  by_site_id: string | null
}

/** The id of the new block. Undefined if an open block names the person already. */
export async function addBlock(db: Db, { endsOn, ...block }: NewBlock): Promise<string | undefined> {
  const row = await db
    .insertInto('member_block')
    .values({ ...block, ends_at: sql<string | null>`(${endsOn}::date + 1)::timestamptz` })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Whether a day is over by the clock of the database. */
export async function isPast(db: Db, day: string): Promise<boolean> {
  const { rows } = await sql<{ past: boolean }>`
    select (${day}::date + 1)::timestamptz <= now() as past`.execute(db)
  return rows[0]?.past ?? true
}

/** A block in scope, locked for the change that follows. */
export async function lockBlock(db: Db, scope: Scope, id: string) {
  const { rows } = await sql<{
    organiseId: string
    memberId: string | null
    phone: string | null
    status: number
    mayLift: boolean
  }>`
    select organise_id as "organiseId", member_id as "memberId", phone, ${statusSql} as status, ${mayLiftSql(scope)} as "mayLift"
    from member_block
    where id = ${id}
    for update`.execute(db)
  return rows[0]
}

type Lift = { byId: string; by: string; reason: string }

export async function liftBlock(db: Db, id: string, { byId, by, reason }: Lift): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update member_block
    set lifted_at = now(), lifted_by_id = ${byId}, lifted_by = ${by}, lift_reason = ${reason}
    where id = ${id} and ${isInEffect}`.execute(db)
  return numAffectedRows === 1n
}
