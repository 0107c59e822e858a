import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Staff, staff } from '@wattdeck/contract/system/staff.ts'
import { sql } from 'kysely'
import type { Db } from '../../kit/db.ts'
import { forgetGuesses, guessKey } from '../../kit/guesses.ts'
import { byId, containing, pageOf } from '../../kit/paging.ts'
import type { Scope } from '../../kit/scope.ts'
import { people } from '../accounts.store.ts'

type Filter = QueryOf<typeof staff.list>

export async function listStaff(db: Db, scope: Scope, filter: Filter) {
  const matching = people(db, scope)
    .$if(filter.organiseId !== undefined, (query) =>
      query.where('user_account.organise_id', '=', filter.organiseId ?? ''),
    )
    .$if(filter.status !== undefined, (query) => query.where('user_account.status', '=', filter.status ?? 1))
    .$if(filter.departmentId !== undefined, (query) =>
      query.where('user_account.department_id', '=', filter.departmentId ?? ''),
    )
    .$if(filter.roleId !== undefined, (query) =>
      query.where((row) =>
        row.exists(
          row
            .selectFrom('user_role')
            .select('user_role.user_id')
            .whereRef('user_role.user_id', '=', 'user_account.id')
            .where('user_role.role_id', '=', filter.roleId ?? ''),
        ),
      ),
    )
    .$if(filter.keyword !== undefined, (query) =>
      query.where((row) =>
        row.or([
          row('user_account.name', 'like', containing(filter.keyword ?? '')),
          row('user_account.login_name', 'like', containing(filter.keyword ?? '')),
          // A phone is found whole only: a search by parts would give masked digits away one by one.
          row('user_account.phone', '=', filter.keyword ?? ''),
        ]),
      ),
    )
  const found = await pageOf(db, matching, filter, {
    key: byId('user_account.id'),
    columns: (query) =>
      query
        .leftJoin('organise', 'organise.id', 'user_account.organise_id')
        .leftJoin('department', 'department.id', 'user_account.department_id')
        .select([
          'user_account.id',
          'user_account.employee_no as employeeNo',
          'user_account.name',
          'user_account.login_name as loginName',
          'user_account.phone',
          'user_account.email',
          'user_account.organise_id as organiseId',
          'organise.name as organiseName',
          'user_account.department_id as departmentId',
          'department.name as departmentName',
          'user_account.user_type as userType',
          'user_account.status',
          'user_account.last_login_at as lastLoginAt',
          'user_account.created_by as createdBy',
          'user_account.created_at as createdAt',
          'user_account.updated_at as updatedAt',
          sql<boolean>`coalesce(user_account.locked_until > now(), false)`.as('locked'),
          sql<
            Staff['roles']
          >`coalesce((select jsonb_agg(jsonb_build_object('id', role.id::text, 'name', role.name) order by role.id)
          from user_role join role on role.id = user_role.role_id where user_role.user_id = user_account.id), '[]')`.as(
            'roles',
          ),
        ]),
  })
  return { ...found, rows: found.rows as Staff[] }
}

export const departmentIn = (db: Db, _scope: Scope, id: string, organiseId: string) =>
  db.selectFrom('department').select('id').where('id', '=', id).where('organise_id', '=', organiseId).executeTakeFirst()

type Edit = {
  employeeNo: string
  name: string
  email: string | undefined
  departmentId: string | undefined
}

export async function editStaff(db: Db, _scope: Scope, id: string, edit: Edit): Promise<void> {
  await db
    .updateTable('user_account')
    .set({
      employee_no: edit.employeeNo,
      name: edit.name,
      department_id: edit.departmentId ?? null,
      // The console knows it only masked, so leaving it out leaves it as it is.
      ...(edit.email === undefined ? {} : { email: edit.email }),
    })
    .where('id', '=', id)
    .execute()
}

export async function unlock(db: Db, _scope: Scope, id: string): Promise<void> {
  await db.updateTable('user_account').set({ locked_until: null }).where('id', '=', id).execute()
  await forgetGuesses(db, guessKey.password(id), guessKey.secondFactor(id))
}
