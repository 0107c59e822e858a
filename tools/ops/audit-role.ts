import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type pg from 'pg'

/** The platform's delivered role for auditors: the log, its export, and the list of finished downloads. */
export async function addAuditRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into role (organise_id, name, code, top_level, user_type, audit_only, created_by)
     values (1, '审计管理员', 'AUDITOR', 1, 1, true, 'setup')
     on conflict (organise_id, agent_id, site_id, name) do nothing returning id`,
  )
  const id = rows[0]?.id
  if (id === undefined) return
  const menus = [menuKey.system, menuKey.log, menuKey.download]
  await client.query(
    'insert into role_menu (role_id, menu_id, organise_id) select $1, id, 1 from menu where menu_key = any($2)',
    [id, menus],
  )
  await client.query(
    `insert into role_resource (role_id, resource_id, organise_id)
     select $1, resource.id, 1 from resource join menu on menu.id = menu_id
     where menu_key = any($2) and resource.action = 'export'`,
    [id, menus],
  )
}
