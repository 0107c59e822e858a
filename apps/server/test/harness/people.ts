import { hash } from '@node-rs/argon2'
import { newToken, sha256 } from '../../src/kit/auth/tokens.ts'
import type { TestApi } from './api.ts'

type Api = Pick<TestApi, 'sql'>

/** The password of every person in tests; weakly hashed, because its strength is not under test. */
export const password = 'Plug-in-2026!'
const passwordHash = await hash(password, { memoryCost: 1024, timeCost: 1, parallelism: 1 })

export type Actor = {
  id: string
  token: string
  loginName: string
  phone: string
  organiseId: string
  roleId: string | null
}
type Place = { organiseId: string; agentId?: string; siteId?: string }
type Params = Place & {
  loginName: string
  userType?: 1 | 2 | 3 | 4
  /** Menu keys; '*' selects all that exist, '' none. */
  menus?: string[] | '*'
  topLevel?: number
  actions?: boolean
  canUnmask?: boolean
  code?: string
}

let phones = 13_000_000_000 + (process.pid % 10_000) * 10_000

/** A person with one role that holds the menus, and every action on them, and an open session. */
export async function makePerson(api: Api, params: Params): Promise<Actor> {
  const { organiseId, agentId = null, siteId = null, loginName } = params
  const phone = String(++phones)
  const userType = params.userType ?? (siteId === null ? (agentId === null ? 1 : 2) : 3)
  const [person] = await api.sql<{ id: string }>(
    `insert into user_account (organise_id, agent_id, site_id, user_type, employee_no, name, login_name, phone, password_hash)
     values ($1, $2, $3, $4, $5, $6, $5, $7, $8) returning id`,
    [organiseId, agentId, siteId, userType, loginName, `姓名${loginName}`, phone, passwordHash],
  )
  const id = person?.id ?? ''
  const roleId = params.menus === undefined ? null : await makeRole(api, { ...params, userType, menus: params.menus })
  if (roleId !== null) {
    await api.sql(
      'insert into user_role (user_id, role_id, organise_id, agent_id, site_id) values ($1, $2, $3, $4, $5)',
      [id, roleId, organiseId, agentId, siteId],
    )
  }
  return { id, token: await openSession(api, id), loginName, phone, organiseId, roleId }
}

export async function makeRole(api: Api, params: Params & { menus: string[] | '*'; name?: string }): Promise<string> {
  const { organiseId, agentId = null, siteId = null, userType = 1 } = params
  const [role] = await api.sql<{ id: string }>(
    `insert into role (organise_id, agent_id, site_id, name, code, top_level, user_type, can_unmask) values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      organiseId,
      agentId,
      siteId,
      params.name ?? `角色${params.loginName}`,
      params.code ?? 'TEST',
      params.topLevel ?? userType + 1,
      userType,
      params.canUnmask ?? false,
    ],
  )
  const id = role?.id ?? ''
  const keys = params.menus === '*' ? null : params.menus
  await api.sql(
    `insert into role_menu (role_id, menu_id, organise_id, agent_id, site_id)
     select $1, id, $2, $3, $4 from menu where $5::text[] is null or menu_key = any($5)`,
    [id, organiseId, agentId, siteId, keys],
  )
  if (params.actions !== false) {
    await api.sql(
      `insert into role_resource (role_id, resource_id, organise_id, agent_id, site_id)
       select $1, resource.id, $2, $3, $4 from resource join menu on menu.id = menu_id where $5::text[] is null or menu_key = any($5)`,
      [id, organiseId, agentId, siteId, keys],
    )
  }
  return id
}

export async function openSession(api: Api, userId: string, stage = 'full'): Promise<string> {
  const token = newToken()
  await api.sql(
    `insert into session (token_hash, user_id, organise_id, agent_id, site_id, stage, factor_at)
     select $1, id, organise_id, agent_id, site_id, $3, now() from user_account where id = $2`,
    [sha256(token), userId, stage],
  )
  return token
}

/** Menus of an organisation's administrator; only the platform manages menus and resources. */
export const tenantMenus =
  '1 1.1 1.1.2 1.1.3 1.1.5 1.1.6 1.1.7 1.2 1.2.2 1.4 1.4.2 1.4.3 1.4.4 1.4.5 1.5 2 2.1 2.5 2.6 2.17 2.18 2.30 4 4.1 4.1.1 4.1.3 4.1.4 4.1.5 4.1.7 4.1.8 4.2 4.2.1 4.2.2 4.2.3 4.2.4 4.2.5 4.2.6 6 6.1 6.3 6.4 6.7 6.8 6.9 7 7.1 7.2 7.3 7.4 7.5 7.6 7.9 7.10 7.11 7.12 7.13 7.16 7.20 7.21 8 8.1 8.2 8.8 8.30 9 9.1 9.2 9.3 9.12 9.13 9.15 10 10.4'.split(
    ' ',
  )

export type Fixture = Awaited<ReturnType<typeof makeFixture>>

/** The platform and two organisations of the same shape: every row of one has a twin that must stay invisible. */
export async function makeFixture(api: TestApi) {
  const platform = {
    root: await makePerson(api, {
      organiseId: '1',
      loginName: 'root',
      menus: '*',
      topLevel: 0,
      code: 'ADMIN',
      canUnmask: true,
    }),
    admin: await makePerson(api, { organiseId: '1', loginName: 'platform', menus: '*', topLevel: 1, code: 'ADMIN' }),
  }
  return { platform, green: await makeOrganise(api, 'green'), swift: await makeOrganise(api, 'swift') }
}

async function makeOrganise(api: TestApi, name: string) {
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const id = await one('insert into organise (name) values ($1)', [`机构${name}`])
  const agentId = await one('insert into agent (organise_id, name) values ($1, $2)', [id, `代理商${name}`])
  const subAgentId = await one('insert into agent (organise_id, parent_agent_id, depth, name) values ($1, $2, 2, $3)', [
    id,
    agentId,
    `下级${name}`,
  ])
  const siteId = await one('insert into site (organise_id, agent_id, name) values ($1, $2, $3)', [
    id,
    subAgentId,
    `站点${name}`,
  ])
  const departmentId = await one("insert into department (organise_id, name, code, type) values ($1, $2, 'HQ', 1)", [
    id,
    `总部${name}`,
  ])
  const place = { organiseId: id }
  return {
    id,
    agentId,
    subAgentId,
    siteId,
    departmentId,
    admin: await makePerson(api, {
      ...place,
      loginName: `${name}_admin`,
      menus: tenantMenus,
      code: 'GZHGLJS',
      canUnmask: true,
    }),
    clerk: await makePerson(api, { ...place, loginName: `${name}_clerk`, menus: ['2', '2.1'], code: 'TEST' }),
    withoutRights: await makePerson(api, { ...place, loginName: `${name}_nobody` }),
    agent: await makePerson(api, {
      ...place,
      agentId,
      loginName: `${name}_agent`,
      menus: tenantMenus,
      code: 'YYSYHJS',
    }),
    subAgent: await makePerson(api, {
      ...place,
      agentId: subAgentId,
      loginName: `${name}_sub_agent`,
      menus: tenantMenus,
      code: 'YYSYHJS',
    }),
    site: await makePerson(api, {
      ...place,
      agentId: subAgentId,
      siteId,
      loginName: `${name}_site`,
      menus: tenantMenus,
      code: 'ZDYHJS',
    }),
    installer: await makePerson(api, {
      ...place,
      agentId,
      loginName: `${name}_installer`,
      userType: 4,
      menus: ['2', '2.1'],
      code: 'TEST',
    }),
  }
}
