import type { DB } from './db.gen.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Scope } from './scope.ts'

/** Tables with owner columns. */
type Owned = {
  [T in keyof DB]: DB[T] extends { organise_id: unknown; agent_id: unknown; site_id: unknown } ? T : never
}[keyof DB]
type OwnerIds = { organiseId?: string | undefined; agentId?: string | undefined; siteId?: string | undefined }

/** The ids of an agent and of the agents below it within the caller's scope. Evaluated once a statement. */
export const agentsBelow = (agentId: string) => sql`any((select app.agents_below(${agentId}))::bigint[])`

/** The owner as a condition of a list: `.where(ownedBy('role', filter))`. An agent includes the agents below it. */
export function ownedBy(table: Owned, { organiseId, agentId, siteId }: OwnerIds): RawBuilder<boolean> {
  const conditions = [
    ...(organiseId === undefined ? [] : [sql`${sql.ref(`${table}.organise_id`)} = ${organiseId}`]),
    ...(agentId === undefined ? [] : [sql`${sql.ref(`${table}.agent_id`)} = ${agentsBelow(agentId)}`]),
    ...(siteId === undefined ? [] : [sql`${sql.ref(`${table}.site_id`)} = ${siteId}`]),
  ]
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** The reader's organisation as a condition, because the planner makes no row estimate from row-level security. */
export const withinOrganise = (table: Owned, { level, organiseId }: Scope): RawBuilder<boolean>[] =>
  level === 0 ? [] : [sql<boolean>`${sql.ref(`${table}.organise_id`)} = ${organiseId}`]

/** The names of the owner as columns of a list. Sub-selects run only for the rows of the page. */
export const ownerNames = (table: Owned) => [
  sql<string>`(select organise.name from organise where organise.id = ${sql.ref(`${table}.organise_id`)})`.as(
    'organiseName',
  ),
  sql<string | null>`(select agent.name from agent where agent.id = ${sql.ref(`${table}.agent_id`)})`.as('agentName'),
  sql<string | null>`(select site.name from site where site.id = ${sql.ref(`${table}.site_id`)})`.as('siteName'),
]
