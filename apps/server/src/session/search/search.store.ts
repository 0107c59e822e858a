import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { containing } from '../../kit/paging.ts'
import type { Scope } from '../../kit/scope.ts'

const most = 5

export const findStaff = (db: Db, _scope: Scope, text: string) =>
  db
    .selectFrom('user_account')
    .innerJoin('organise', 'organise.id', 'user_account.organise_id')
    .leftJoin('department', 'department.id', 'user_account.department_id')
    .select(['user_account.id', 'user_account.name as title'])
    .select(sql<string>`coalesce(department.name, organise.name)`.as('note'))
    .where('user_account.deleted_at', 'is', null)
    .where((row) =>
      row.or([
        row('user_account.name', 'ilike', containing(text)),
        row('user_account.login_name', 'ilike', containing(text)),
        // A phone is found whole only: a search by parts would give masked digits away one by one.
        row('user_account.phone', '=', text),
      ]),
    )
    .orderBy('user_account.id', 'desc')
    .limit(most)
    .execute()

export const findDepartments = (db: Db, _scope: Scope, text: string) =>
  db
    .selectFrom('department')
    .innerJoin('organise', 'organise.id', 'department.organise_id')
    .select(['department.id', 'department.name as title', 'organise.name as note'])
    .where((row) =>
      row.or([row('department.name', 'ilike', containing(text)), row('department.code', 'ilike', containing(text))]),
    )
    .orderBy('department.id', 'desc')
    .limit(most)
    .execute()

export const findRoles = (db: Db, _scope: Scope, text: string) =>
  db
    .selectFrom('role')
    .innerJoin('organise', 'organise.id', 'role.organise_id')
    .select(['role.id', 'role.name as title', 'organise.name as note'])
    .where((row) => row.or([row('role.name', 'ilike', containing(text)), row('role.code', 'ilike', containing(text))]))
    .orderBy('role.id', 'desc')
    .limit(most)
    .execute()
