import type pg from 'pg'
import { newToken, sha256 } from '../apps/server/src/kit/tokens.ts'

/** Somebody's session; answers its token. */
export async function openBenchSession(client: pg.Client, userId: number, organiseId: number): Promise<string> {
  const token = newToken()
  await client.query("insert into session (token_hash, user_id, organise_id, stage) values ($1, $2, $3, 'full')", [
    sha256(token),
    userId,
    organiseId,
  ])
  return token
}

/** An administrator of an organisation who is logged in; answers the token. */
export async function openAdminSession(client: pg.Client, id: number, organise: number): Promise<string> {
  await client.query(
    "insert into role (id, organise_id, name, code, top_level, user_type) values ($1, $2, '管理', 'GZHGLJS', 2, 1)",
    [id, organise],
  )
  await client.query('insert into role_menu (role_id, menu_id, organise_id) select $1, id, $2 from menu', [
    id,
    organise,
  ])
  await client.query('insert into role_resource (role_id, resource_id, organise_id) select $1, id, $2 from resource', [
    id,
    organise,
  ])
  await client.query(
    `insert into user_account (id, organise_id, user_type, employee_no, name, login_name, phone, password_hash)
     values ($1, $2, 1, 'E1', '管理员', $3, $4, 'x')`,
    [id, organise, `bench${id}`, `1300000000${id}`],
  )
  await client.query('insert into user_role (user_id, role_id, organise_id) values ($1, $1, $2)', [id, organise])
  return openBenchSession(client, id, organise)
}

/** A small organisation (2) and a large one (3), each with an agent and an administrator who is logged in. */
export async function tenantsWithAdmin(client: pg.Client): Promise<string[]> {
  await client.query("insert into organise (id, name) values (2, '小机构'), (3, '大机构')")
  await client.query("insert into agent (id, organise_id, name) values (1, 2, '代理'), (2, 3, '代理')")
  return [await openAdminSession(client, 1, 2), await openAdminSession(client, 2, 3)]
}

export const p95 = (times: number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0
