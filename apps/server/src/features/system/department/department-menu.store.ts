import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import type { Place } from '../../_shared/place.store.ts'
import { rowExists } from '../../../kit/db/rows.ts'

/** Only the difference is written, so that the audit log shows only the difference. */
export async function setMenus(
  db: Db,
  { id, organise_id, agent_id, site_id }: Place & { id: string },
  menuIds: readonly string[],
): Promise<void> {
  await sql`delete from department_menu
    where department_id = ${id} and menu_id <> all(${menuIds}::bigint[])`.execute(db)
  await sql`insert into department_menu (department_id, menu_id, organise_id, agent_id, site_id)
    select ${id}::bigint, menu_id, ${organise_id}::bigint, ${agent_id}::bigint, ${site_id}::bigint
    from unnest(${menuIds}::bigint[]) as menu_id on conflict do nothing`.execute(db)
}

export const hasMenus = (db: Db, departmentId: string) =>
  rowExists(db, 'department_menu', { department_id: departmentId })

/** Menus that the roles of users in a department and below it grant, without ceilings. Invisible roles are reported as well. */
export async function menusWithoutCeiling(db: Db, departmentId: string) {
  const { rows } = await sql<{ menu_id: string | null; out_of_sight: boolean }>`
    with recursive below as (
      select id from department where id = ${departmentId}
      union
      select department.id from department join below on department.parent_id = below.id
    )
    select distinct role_menu.menu_id, role.id is null as out_of_sight
    from below
    join user_account person on person.department_id = below.id and person.deleted_at is null
    join user_role on user_role.user_id = person.id
    left join role on role.id = user_role.role_id
    left join role_menu on role_menu.role_id = role.id
    where role.id is null or role.status = 1`.execute(db)
  return {
    menuIds: rows.flatMap(({ menu_id }) => (menu_id === null ? [] : [menu_id])),
    outOfSight: rows.some((row) => row.out_of_sight),
  }
}
