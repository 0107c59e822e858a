import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Account, userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ownedBy, ownerNames } from '../../../kit/db/ownership.ts'
import { byId, containing, pageOf } from '../../../kit/db/paging.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import { people } from '../_shared/accounts.store.ts'

type Filter = QueryOf<typeof userMaintenance.list>

function accountsMatching(db: Db, scope: Scope, filter: Filter) {
  const { keyword, phone, userType, status } = filter
  return (
    people(db, scope)
      .where(ownedBy('user_account', filter))
      .$if(userType !== undefined, (query) => query.where('user_account.user_type', '=', userType ?? 0))
      .$if(status !== undefined, (query) => query.where('user_account.status', '=', status ?? 0))
      // Found whole only: a search by parts would give masked digits away one by one.
      .$if(phone !== undefined, (query) => query.where('user_account.phone', '=', phone ?? ''))
      .$if(keyword !== undefined, (query) =>
        query.where((row) =>
          row.or([
            row('user_account.name', 'like', containing(keyword ?? '')),
            row('user_account.login_name', 'like', containing(keyword ?? '')),
          ]),
        ),
      )
  )
}

const roles = sql<Account['roles']>`coalesce((
  select jsonb_agg(jsonb_build_object('id', role.id::text, 'name', role.name) order by role.id)
  from user_role join role on role.id = user_role.role_id where user_role.user_id = user_account.id), '[]')`

export async function listAccounts(db: Db, scope: Scope, filter: Filter) {
  const found = await pageOf(db, accountsMatching(db, scope, filter), filter, {
    key: byId('user_account.id'),
    columns: (query) =>
      query
        .select([
          'user_account.id',
          'user_account.login_name as loginName',
          'user_account.name',
          'user_account.phone',
          'user_account.user_type as userType',
          'user_account.organise_id as organiseId',
          'user_account.agent_id as agentId',
          'user_account.site_id as siteId',
          roles.as('roles'),
          'user_account.status',
          sql<boolean>`coalesce(user_account.locked_until > now(), false)`.as('locked'),
          'user_account.last_login_at as lastLoginAt',
          'user_account.created_by as createdBy',
          'user_account.created_at as createdAt',
          'user_account.updated_at as updatedAt',
        ])
        .select(ownerNames('user_account')),
  })
  return { ...found, rows: found.rows as Account[] }
}

export async function rename(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('user_account').set({ name }).where('id', '=', id).execute()
}

export async function rolesHeld(db: Db, id: string): Promise<string[]> {
  const rows = await db.selectFrom('user_role').select('role_id').where('user_id', '=', id).execute()
  return rows.map((row) => row.role_id)
}

/** Whether it was another phone until now. One that somebody else has is refused by the unique index. */
