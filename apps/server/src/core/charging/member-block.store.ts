import { blockScope } from '@wattdeck/contract/member/blacklist.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import type { Scope } from '../../kit/db/scope.ts'
import { withWholeOrganiseScope } from '../../kit/db/whole-organise.ts'

type BlockScope = (typeof blockScope.options)[number]['value']

const { charge, recharge, both } = blockScope.code
const scopesOf = { charge: [charge, both], recharge: [recharge, both] }

/** A person as the caller knows them: the member, the card in use, or both. */
export type Person = { organiseId: string; memberId: string | null; cardId: string | null }

/** A block has an effect until it is lifted or its end has passed, by the clock of the database. */
export const isInEffect = sql<boolean>`(
  member_block.lifted_at is null
  and (member_block.ends_at is null or member_block.ends_at > now())
)`

type PersonSql = { [K in keyof Person]: RawBuilder<unknown> }

/**
 * Whether a row of `member_block` names the person. The person is the member, every member of the organisation with the same
 * union id, their phones, their cards and the card in use. Each key is an array of its own subquery, so that PostgreSQL
 * reads one partial index for each.
 */
function namesPerson({ organiseId, memberId, cardId }: PersonSql): RawBuilder<boolean> {
  const members = sql`array(
    select ${memberId}
    union all
    select other.member_id
    from member_identity own
    join member_identity other on other.organise_id = own.organise_id and other.union_id = own.union_id
    where own.member_id = ${memberId} and own.organise_id = ${organiseId}
  )`
  return sql<boolean>`member_block.organise_id = ${organiseId} and ${isInEffect} and (
    member_block.member_id = any(${members})
    or member_block.phone = any(array(
      select person.phone from member person where person.organise_id = ${organiseId} and person.id = any(${members})
    ))
    or member_block.card_id = any(array(
      select ${cardId}
      union all
      select card.id from stored_card card where card.organise_id = ${organiseId} and card.member_id = any(${members})
    ))
  )`
}

/**
 * Whether the organisation of a row has any open block: a column of a statement that a start needs anyway. Without one,
 * `isBlocked` need not be called. True in a scope that cannot see all blocks, so that `isBlocked` then fails.
 */
export const mayHaveBlocks = (organiseId: string) => sql<boolean>`(
  (select app.scope_level()) > 1
  or exists (
    select from member_block where member_block.organise_id = ${sql.ref(organiseId)} and member_block.lifted_at is null
  )
)`

/** Whether a block bars the person from this act now. The scope must be that of the whole organisation or wider. */
export async function isBlocked(db: Db, person: Person, act: keyof typeof scopesOf): Promise<boolean> {
  const names = namesPerson({
    organiseId: sql`${person.organiseId}::bigint`,
    memberId: sql`${person.memberId}::bigint`,
    cardId: sql`${person.cardId}::bigint`,
  })
  const { rows } = await sql<{ isNarrow: boolean; blocked: boolean }>`
    select
      (select app.scope_level()) > 1 as "isNarrow",
      exists (
        select from member_block where ${names} and member_block.scope = any(${scopesOf[act]}::smallint[])
      ) as blocked`.execute(db)
  const [found] = rows
  if (found === undefined || found.isNarrow) throw new Error('blocks are read in the scope of the whole organisation')
  return found.blocked
}

/** What each of some members is barred from. The members must be visible in the caller's scope. */
export async function blockedScopes(
  db: Db,
  scope: Scope,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, BlockScope>> {
  if (memberIds.length === 0) return new Map()
  const names = namesPerson({ organiseId: sql`of.organise_id`, memberId: sql`of.id`, cardId: sql`null::bigint` })
  return withWholeOrganiseScope(db, scope, scope.organiseId, async () => {
    const { rows } = await sql<{ id: string; scope: BlockScope | null }>`
      select of.id, (select bit_or(member_block.scope) from member_block where ${names}) as scope
      from member of
      where of.id = any(${memberIds}::bigint[])`.execute(db)
    return new Map(rows.flatMap(({ id, scope: barred }) => (barred === null ? [] : [[id, barred] as const])))
  })
}
