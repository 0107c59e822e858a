import { sql } from 'kysely'
import type { Db } from '../../../kit/db/db.ts'
import { loadMenus } from '../../../kit/auth/menus.ts'
import type { Place } from '../../_shared/place.store.ts'
import type { Catalogue, Granted, ResourceRow } from './grants.ts'

/** All menus and resources that can be granted. */
export async function loadCatalogue(db: Db): Promise<Catalogue> {
  const [menus, resources] = await Promise.all([
    loadMenus(db),
    db
      .selectFrom('resource')
      .innerJoin('menu', 'menu.id', 'resource.menu_id')
      .select(['resource.id', 'resource.menu_id as menuId', 'resource.name', 'resource.action', 'resource.status'])
      .select(sql<string>`menu.menu_key || ':' || resource.action`.as('grant'))
      .orderBy('resource.menu_id')
      .orderBy('resource.id')
      .$castTo<ResourceRow>()
      .execute(),
  ])
  return { menus, resources }
}

export async function grantsOf(db: Db, roleId: string): Promise<Granted> {
  const [menus, resources] = await Promise.all([
    db.selectFrom('role_menu').select('menu_id').where('role_id', '=', roleId).execute(),
    db.selectFrom('role_resource').select('resource_id').where('role_id', '=', roleId).execute(),
  ])
  return { menuIds: menus.map((row) => row.menu_id), resourceIds: resources.map((row) => row.resource_id) }
}

export async function addGrants(
  db: Db,
  role: Place & { id: string },
  { menuIds, resourceIds }: Granted,
): Promise<void> {
  const place = sql`${role.organise_id}::bigint, ${role.agent_id}::bigint, ${role.site_id}::bigint`
  await sql`insert into role_menu (role_id, menu_id, organise_id, agent_id, site_id)
    select ${role.id}::bigint, menu_id, ${place} from unnest(${menuIds}::bigint[]) as menu_id`.execute(db)
  await sql`insert into role_resource (role_id, resource_id, organise_id, agent_id, site_id)
    select ${role.id}::bigint, resource_id, ${place} from unnest(${resourceIds}::bigint[]) as resource_id`.execute(db)
}

export async function removeGrants(db: Db, roleId: string, { menuIds, resourceIds }: Granted): Promise<void> {
  await sql`delete from role_menu where role_id = ${roleId} and menu_id = any(${menuIds}::bigint[])`.execute(db)
  await sql`delete from role_resource
    where role_id = ${roleId} and resource_id = any(${resourceIds}::bigint[])`.execute(db)
}

export async function setUnmask(db: Db, roleId: string, canUnmask: boolean): Promise<void> {
  await db.updateTable('role').set({ can_unmask: canUnmask }).where('id', '=', roleId).execute()
}

/** Removes rights from every role of an organisation, including those of its agents and sites. */
export async function removeFromAll(db: Db, organiseId: string, { menuIds, resourceIds }: Granted) {
  await sql`delete from role_menu where organise_id = ${organiseId} and menu_id = any(${menuIds}::bigint[])`.execute(db)
  await sql`delete from role_resource
    where organise_id = ${organiseId} and resource_id = any(${resourceIds}::bigint[])`.execute(db)
}

export async function removeUnmaskFromAll(db: Db, organiseId: string): Promise<void> {
  await db
    .updateTable('role')
    .set({ can_unmask: false })
    .where('organise_id', '=', organiseId)
    .where('can_unmask', '=', true)
    .execute()
}
