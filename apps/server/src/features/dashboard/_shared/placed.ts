import { type RawBuilder, sql } from 'kysely'
import { ownedBy } from '../../../kit/db/ownership.ts'
import type { Scope } from '../../../kit/db/scope.ts'

type Table = Parameters<typeof ownedBy>[0]
type Owner = Parameters<typeof ownedBy>[1]

/** Row security decides which rows count; these conditions let the planner use an index. */
export const placeConditionsOf = (table: Table, scope: Scope, owner: Owner): RawBuilder<boolean>[] => [
  ownedBy(table, owner),
  ...(scope.level > 0 ? [sql<boolean>`${sql.ref(`${table}.organise_id`)} = ${scope.organiseId}`] : []),
  ...(scope.level === 2 ? [sql<boolean>`${sql.ref(`${table}.agent_id`)} = any(${scope.agentIds}::bigint[])`] : []),
  ...(scope.level === 3 ? [sql<boolean>`${sql.ref(`${table}.site_id`)} = any(${scope.siteIds}::bigint[])`] : []),
]
