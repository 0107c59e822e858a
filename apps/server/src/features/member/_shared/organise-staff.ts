import { sql } from 'kysely'
import type { Condition } from '../../../kit/db/list-query.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { forbidden } from '../../../kit/http/refusal.ts'

/** Apps and keys belong to a whole organisation: staff of agents and sites have no access, whatever their role grants. */
export function assertOrganiseStaff({ scope }: { scope: Scope }): void {
  if (scope.level > 1) throw forbidden()
}

/** The same rows as conditions of a list and of its file, with the organisation for the index. */
export function organiseStaffRows(table: 'member_app' | 'open_app', { level, organiseId }: Scope): Condition[] {
  if (level > 1) return [sql<boolean>`false`]
  return level === 0 ? [] : [sql<boolean>`${sql.ref(`${table}.organise_id`)} = ${organiseId}`]
}
