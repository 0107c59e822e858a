import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { containing } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'

export const most = 5

export const findStaff = (db: Db, text: string) =>
  db
    .selectFrom('user_account')
    .innerJoin('organise', 'organise.id', 'user_account.organise_id')
    .leftJoin('department', 'department.id', 'user_account.department_id')
    .select(['user_account.id', 'user_account.name as title'])
    .select(sql<string>`coalesce(department.name, organise.name)`.as('note'))
    .select('user_account.employee_no as no')
    .where('user_account.deleted_at', 'is', null)
    .where((row) =>
      row.or([
        row('user_account.name', 'ilike', containing(text)),
        row('user_account.login_name', 'ilike', containing(text)),
        // Matches whole phones only: a search by parts would reveal masked digits one by one.
        row('user_account.phone', '=', text),
      ]),
    )
    .orderBy('user_account.id', 'desc')
    .limit(most)
    .execute()

export const findDepartments = (db: Db, text: string) =>
  db
    .selectFrom('department')
    .innerJoin('organise', 'organise.id', 'department.organise_id')
    .select(['department.id', 'department.name as title', 'department.code as no', 'organise.name as note'])
    .where((row) =>
      row.or([row('department.name', 'ilike', containing(text)), row('department.code', 'ilike', containing(text))]),
    )
    .orderBy('department.id', 'desc')
    .limit(most)
    .execute()

export const findRoles = (db: Db, text: string) =>
  db
    .selectFrom('role')
    .innerJoin('organise', 'organise.id', 'role.organise_id')
    .select(['role.id', 'role.name as title', 'role.code as no', 'organise.name as note'])
    .where((row) => row.or([row('role.name', 'ilike', containing(text)), row('role.code', 'ilike', containing(text))]))
    .orderBy('role.id', 'desc')
    .limit(most)
    .execute()

/** Only the platform sees more than one organisation. */
export async function findOrganises(db: Db, scope: Scope, text: string) {
  if (scope.level > 0) return []
  return db
    .selectFrom('organise')
    .select(['id', 'name as title', 'code as no', sql<string>`'编号 ' || id`.as('note')])
    .where('deleted_at', 'is', null)
    .where('name', 'ilike', containing(text))
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

export const findAgents = (db: Db, scope: Scope, text: string) =>
  db
    .selectFrom('agent')
    .innerJoin('organise', 'organise.id', 'agent.organise_id')
    .select(['agent.id', 'agent.name as title', sql<string | null>`null`.as('no'), 'organise.name as note'])
    .$if(scope.level > 0, (query) => query.where('agent.organise_id', '=', scope.organiseId))
    .where('agent.deleted_at', 'is', null)
    .where('agent.name', 'ilike', containing(text))
    .orderBy('agent.id', 'desc')
    .limit(most)
    .execute()

/**
 * The platform has a million sites and finds them by name prefix. The prefix is a range: under row-level security no
 * index serves LIKE, because the operator is not leakproof.
 */
export const findSites = (db: Db, scope: Scope, text: string) =>
  db
    .selectFrom('site')
    .innerJoin('organise', 'organise.id', 'site.organise_id')
    .select(['site.id', 'site.name as title', 'site.code as no', 'organise.name as note'])
    .where('site.deleted_at', 'is', null)
    .$if(scope.level === 0, (query) =>
      query
        .where(sql<boolean>`site.name collate "C" >= ${text} and site.name collate "C" < ${`${text}\u{10FFFF}`}`)
        .orderBy(sql`site.name collate "C"`),
    )
    .$if(scope.level > 0, (query) =>
      query.where('site.organise_id', '=', scope.organiseId).where('site.name', 'ilike', containing(text)),
    )
    .orderBy('site.id', 'desc')
    .limit(most)
    .execute()
