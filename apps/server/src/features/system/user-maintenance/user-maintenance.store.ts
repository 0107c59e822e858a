import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { ifGiven, organisePlace, type Source } from '../../../kit/db/list-query.ts'
import { containing } from '../../../kit/db/paging.ts'

type Filter = QueryOf<typeof userMaintenance.list>

export const accountSource: Source = {
  table: 'user_account',
  where: sql<boolean>`user_account.deleted_at is null`,
  place: organisePlace('user_account'),
  computed: {
    locked: sql`coalesce(user_account.locked_until > now(), false)`,
    roles: sql`coalesce((select jsonb_agg(jsonb_build_object('id', role.id::text, 'name', role.name) order by role.id)
      from user_role join role on role.id = user_role.role_id where user_role.user_id = user_account.id), '[]')`,
  },
  own: ({ keyword, phone }: Filter) => [
    // Only the whole phone matches: a search by parts would reveal masked digits one by one.
    ...ifGiven(phone, (whole) => sql<boolean>`user_account.phone = ${whole}`),
    ...ifGiven(
      keyword,
      (text) =>
        sql<boolean>`(user_account.name like ${containing(text)} or user_account.login_name like ${containing(text)})`,
    ),
  ],
}

export async function rename(db: Db, id: string, name: string): Promise<void> {
  await db.updateTable('user_account').set({ name }).where('id', '=', id).execute()
}

export async function roleIdsOf(db: Db, id: string): Promise<string[]> {
  const rows = await db.selectFrom('user_role').select('role_id').where('user_id', '=', id).execute()
  return rows.map((row) => row.role_id)
}
