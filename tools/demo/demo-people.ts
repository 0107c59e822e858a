import { hash } from '@node-rs/argon2'
import type pg from 'pg'
import { base32 } from '../../apps/server/src/features/auth/login/totp.ts'
import { demoPassword } from '../../apps/server/src/kit/auth/demo-account.ts'
import type { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { addAuditRole } from '../ops/audit-role.ts'
import { city } from './demo-city.ts'
import { templateRights, payMenus, screenMenus, tenantMenus } from './demo-menus.ts'

/** One account for each role of the specification, and a team. */
export { demoPassword }
export const demoTotpHex = '3132333435363738393031323334353637383930'
export const demoTotpSecret = base32(Buffer.from(demoTotpHex, 'hex'))

export type Account = {
  loginName: string
  name: string
  role: string
  organise: number
  agent?: number
  site?: number
  type: 1 | 2 | 3 | 4
  department?: number
}
type Role = {
  id: number
  organise: number
  name: string
  code: string
  topLevel: number
  type: number
  menus: string[] | '*'
  /** 'menu:action'; every action of the menus by default. */
  actions?: string[]
  unmask?: boolean
}

const roles: Role[] = [
  { id: 1, organise: 1, name: '超级管理员', code: 'ADMIN', topLevel: 0, type: 1, menus: '*', unmask: true },
  { id: 2, organise: 1, name: '平台管理员', code: 'ADMIN', topLevel: 1, type: 1, menus: '*' },
  {
    id: 3,
    organise: 2,
    name: '公众号管理',
    code: 'GZHGLJS',
    topLevel: 2,
    type: 1,
    menus: [...tenantMenus, ...payMenus, ...screenMenus],
    unmask: true,
  },
  { id: 4, organise: 2, name: '运营商用户', code: 'YYSYHJS', topLevel: 3, type: 2, menus: tenantMenus },
  {
    id: 5,
    organise: 2,
    name: '站点用户',
    code: 'ZDYHJS',
    topLevel: 4,
    type: 3,
    ...templateRights('ZDYHJS'),
  },
  { id: 6, organise: 2, name: '银联账户', code: 'YLZH', topLevel: 2, type: 1, ...templateRights('YLZH') },
  { id: 7, organise: 2, name: 'SIM卡用户', code: 'SIMCARD', topLevel: 2, type: 1, ...templateRights('SIMCARD') },
  { id: 8, organise: 2, name: '联合运营投资人', code: 'LHYYTZR', topLevel: 2, type: 1, ...templateRights('LHYYTZR') },
  { id: 9, organise: 2, name: '生产外协', code: 'SCWX', topLevel: 2, type: 1, ...templateRights('SCWX') },
  { id: 13, organise: 2, name: '普通员工', code: 'STAFF', topLevel: 2, type: 1, menus: ['2', '2.1'] },
  { id: 10, organise: 2, name: '安装员', code: 'INSTALLER', topLevel: 5, type: 4, ...templateRights('INSTALLER') },
  {
    id: 11,
    organise: 3,
    name: '公众号管理',
    code: 'GZHGLJS',
    topLevel: 2,
    type: 1,
    menus: [...tenantMenus, ...payMenus, ...screenMenus],
  },
  {
    id: 12,
    organise: 4,
    name: '公众号管理',
    code: 'GZHGLJS',
    topLevel: 2,
    type: 1,
    menus: [...tenantMenus, ...payMenus, ...screenMenus],
  },
  {
    id: 14,
    organise: 5,
    name: '公众号管理',
    code: 'GZHGLJS',
    topLevel: 2,
    type: 1,
    menus: [...tenantMenus, ...payMenus, ...screenMenus],
  },
]
export const demoAccounts: Account[] = [
  { loginName: 'admin', name: '周启明', role: '超级管理员', organise: 1, type: 1, department: 1 },
  { loginName: 'platform', name: '沈知行', role: '平台管理员', organise: 1, type: 1, department: 1 },
  { loginName: 'green', name: '张伟', role: '公众号管理', organise: 2, type: 1, department: 2 },
  { loginName: 'agent', name: '陈立群', role: '运营商用户', organise: 2, agent: 1, type: 2 },
  { loginName: 'site', name: '吴小燕', role: '站点用户', organise: 2, agent: 2, site: 1, type: 3 },
  { loginName: 'unionpay', name: '何建国', role: '银联账户', organise: 2, type: 1, department: 4 },
  { loginName: 'simcard', name: '郑晓东', role: 'SIM卡用户', organise: 2, type: 1, department: 5 },
  { loginName: 'investor', name: '高明远', role: '联合运营投资人', organise: 2, type: 1 },
  { loginName: 'tester', name: '林志强', role: '生产外协', organise: 2, type: 1, department: 3 },
  { loginName: 'installer', name: '罗大勇', role: '安装员', organise: 2, agent: 2, type: 4 },
  { loginName: 'swift', name: '唐静', role: '公众号管理', organise: 3, type: 1, department: 6 },
  { loginName: 'arrears', name: '马骏', role: '公众号管理', organise: 4, type: 1 },
]
const surnames = '王李赵孙钱朱徐胡郭梁宋韩冯董萧程曹袁邓许'
const givenNames = ['文博', '雨桐', '浩然', '思远', '佳怡', '子涵', '俊杰', '晓峰', '梦琪', '志远', '海燕', '建华']

/** Adds the missing roles and accounts; returns the number of accounts. */
export async function addDemoPeople(client: pg.Client, vault: Vault, hasCity: boolean): Promise<number> {
  for (const role of roles) if (role.organise !== city.organise.id || hasCity) await addRole(client, role)
  await addAuditRole(client)
  return addAccounts(client, vault, hasCity ? [city.account] : [])
}

async function addRole(client: pg.Client, role: Role): Promise<void> {
  const added = await client.query(
    `insert into role (id, organise_id, name, code, top_level, user_type, can_unmask, created_by) values ($1, $2, $3, $4, $5, $6, $7, '周启明') on conflict do nothing`,
    [role.id, role.organise, role.name, role.code, role.topLevel, role.type, role.unmask ?? false],
  )
  if (added.rowCount === 0) return
  const keys = role.menus === '*' ? null : role.menus
  await client.query(
    'insert into role_menu (role_id, menu_id, organise_id) select $1, id, $2 from menu where $3::text[] is null or menu_key = any($3)',
    [role.id, role.organise, keys],
  )
  await client.query(
    `insert into role_resource (role_id, resource_id, organise_id) select $1, resource.id, $2 from resource join menu on menu.id = menu_id
     where ($3::text[] is null or menu_key = any($3)) and ($4::text[] is null or menu_key || ':' || action = any($4))`,
    [role.id, role.organise, keys, role.actions ?? null],
  )
}

async function addAccounts(client: pg.Client, vault: Vault, more: readonly Account[]): Promise<number> {
  const passwordHash = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const extra: Account[] = Array.from({ length: 188 }, (_, place) => ({
    loginName: `staff${String(place + 1).padStart(3, '0')}`,
    name: `${surnames[(place * 7) % surnames.length] ?? '王'}${givenNames[place % givenNames.length] ?? '文博'}`,
    role: '普通员工',
    organise: 2,
    type: 1,
    department: 2 + (place % 4),
  }))
  let added = 0
  for (const [place, account] of [...demoAccounts, ...extra, ...more].entries()) {
    const { loginName, name, organise, agent = null, site = null, type, department = null } = account
    const person = await client.query<{ id: string }>(
      `insert into user_account (id, organise_id, agent_id, site_id, department_id, user_type, employee_no, name, login_name, phone, email, password_hash, created_by, last_login_at, status)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '周启明', now() - make_interval(hours => $13::int * 5), case when $13 % 17 = 0 then 0 else 1 end)
       on conflict do nothing returning id`,
      [
        place + 1,
        organise,
        agent,
        site,
        department,
        type,
        `E${String(place + 1).padStart(4, '0')}`,
        name,
        loginName,
        `138${String(57_100_000 + place * 137)}`,
        `${loginName}@example.cn`,
        passwordHash,
        place + 1,
      ],
    )
    if (person.rowCount === 0) continue
    added++
    const role = roles.find((one) => one.name === account.role && one.organise === organise)
    if (role !== undefined) {
      await client.query(
        'insert into user_role (user_id, role_id, organise_id, agent_id, site_id) values ($1, $2, $3, $4, $5)',
        [place + 1, role.id, organise, agent, site],
      )
    }
    if (role !== undefined && role.topLevel <= 1) {
      await client.query('update user_account set totp_secret = $2, totp_since = now() where id = $1', [
        place + 1,
        vault.seal(demoTotpSecret),
      ])
    }
  }
  return added
}
