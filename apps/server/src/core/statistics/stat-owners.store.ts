import { statBy, type StatBy } from '@wattdeck/contract/order/statistics.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kit/db/db.ts'
import { agentsBelow } from '../../kit/db/ownership.ts'
import type { Scope } from '../../kit/db/scope.ts'
import type { StatFilter } from './stat-place.store.ts'

export type Owner = { id: string; name: string }
type Params = StatFilter & { by: StatBy }
type Days = { from: string; to: string }

const tables = {
  [statBy.code.organise]: { table: 'organise', kind: 3, agent: sql`0`, site: sql`0`, organise: sql`owner.id` },
  [statBy.code.agent]: {
    table: 'agent',
    kind: 4,
    agent: sql`owner.id`,
    site: sql`0`,
    organise: sql`owner.organise_id`,
  },
  [statBy.code.site]: {
    table: 'site',
    kind: 5,
    agent: sql`coalesce(owner.agent_id, 0)`,
    site: sql`owner.id`,
    organise: sql`owner.organise_id`,
  },
} as const

/**
 * Whom figures are told apart by: those there are, and those that are gone and had figures in these days. Both are asked for
 * by themselves, as each has an index of its own: the first are many, the others few.
 */
export function ownersOf(
  scope: Scope,
  wish: Params,
  { from, to }: Days,
): { live: RawBuilder<unknown>; gone: RawBuilder<unknown> } {
  const { by, agentId, siteId } = wish
  const { table, kind, agent, site, organise } = tables[by]
  const organiseId = scope.level > 0 ? scope.organiseId : wish.organiseId
  const conditions = [
    ...(organiseId === undefined ? [] : [sql`${organise} = ${organiseId}`]),
    // Somebody who asks for another organisation than their own gets nothing.
    ...(wish.organiseId === undefined ? [] : [sql`${organise} = ${wish.organiseId}`]),
    ...(by === statBy.code.agent && agentId !== undefined ? [sql`owner.id = ${agentsBelow(agentId)}`] : []),
    ...(by === statBy.code.site && agentId !== undefined ? [sql`owner.agent_id = ${agentsBelow(agentId)}`] : []),
    ...(by === statBy.code.site && siteId !== undefined ? [sql`owner.id = ${siteId}`] : []),
  ]
  const owners = (is: RawBuilder<unknown>) =>
    sql`from ${sql.table(table)} owner where ${sql.join([is, ...conditions], sql` and `)}`
  return {
    live: owners(sql`owner.deleted_at is null`),
    gone: owners(sql`owner.deleted_at is not null and exists (select from stat_day where kind = ${sql.lit(kind)} and organise_id = ${organise}
      and agent_id = ${agent} and site_id = ${site} and district = '' and day between ${from} and ${to})`),
  }
}

export async function countOwners(db: Db, scope: Scope, wish: Params, days: Days): Promise<number> {
  const { live, gone } = ownersOf(scope, wish, days)
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) ${live}) + (select count(*) ${gone}))::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

export async function readOwners(
  db: Db,
  scope: Scope,
  wish: Params,
  { skip, limit, ...days }: Days & { skip: number; limit: number },
): Promise<Owner[]> {
  const { live, gone } = ownersOf(scope, wish, days)
  const first = (owners: RawBuilder<unknown>) =>
    sql`(select owner.id, owner.name ${owners} order by owner.id limit ${skip + limit})`
  const { rows } = await sql<Owner>`
    select owner.id::text as id, owner.name from (${first(live)} union all ${first(gone)}) owner order by owner.id limit ${limit} offset ${skip}`.execute(
    db,
  )
  return rows
}
