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
 * The owners by which figures are grouped: existing ones, and deleted ones with figures in these days. They are separate
 * queries, because each uses its own index: existing owners are many, deleted ones few.
 */
export function ownersOf(
  scope: Scope,
  params: Params,
  { from, to }: Days,
): { live: RawBuilder<unknown>; gone: RawBuilder<unknown> } {
  const { by, agentId, siteId } = params
  const { table, kind, agent, site, organise } = tables[by]
  const organiseId = scope.level > 0 ? scope.organiseId : params.organiseId
  const conditions = [
    ...(organiseId === undefined ? [] : [sql`${organise} = ${organiseId}`]),
    // A caller who requests another organisation gets no rows.
    ...(params.organiseId === undefined ? [] : [sql`${organise} = ${params.organiseId}`]),
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

export async function countOwners(db: Db, scope: Scope, params: Params, days: Days): Promise<number> {
  const { live, gone } = ownersOf(scope, params, days)
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) ${live}) + (select count(*) ${gone}))::int as count`.execute(db)
  return rows[0]?.count ?? 0
}

export async function readOwners(
  db: Db,
  scope: Scope,
  params: Params,
  { skip, limit, ...days }: Days & { skip: number; limit: number },
): Promise<Owner[]> {
  const { live, gone } = ownersOf(scope, params, days)
  const first = (owners: RawBuilder<unknown>) =>
    sql`(select owner.id, owner.name ${owners} order by owner.id limit ${skip + limit})`
  const { rows } = await sql<Owner>`
    select owner.id::text as id, owner.name from (${first(live)} union all ${first(gone)}) owner order by owner.id limit ${limit} offset ${skip}`.execute(
    db,
  )
  return rows
}
