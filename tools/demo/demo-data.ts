import { hash } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { base32 } from '../../apps/server/src/features/auth/login/totp.ts'
import { demoPassword } from '../../apps/server/src/kit/auth/demo-account.ts'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { ensureReferenceData } from '../../apps/server/src/seed/reference-data.ts'
import { addAuditRole } from '../ops/audit-role.ts'
import { templateRights, payMenus, screenMenus, tenantMenus } from './demo-menus.ts'
import { addDemoCards } from './demo-cards.ts'
import { addDemoDevices } from './demo-devices.ts'
import { addDemoUpkeep } from './demo-upkeep.ts'
import { addDemoAdjustments, addDemoMembers } from './demo-members.ts'
import { addDemoOutages } from './demo-outages.ts'
import { addDemoOrders } from './demo-orders.ts'
import { addDemoMerchants } from './demo-payments.ts'
import { addDemoReconciliation } from './demo-recon.ts'
import { addDemoRefunds } from './demo-refunds.ts'
import { addDemoSites } from './demo-sites.ts'
import { addDemoTariffs } from './demo-tariffs.ts'

/** A business to look at: the platform and three organisations, one account for each role of the specification. */
export { demoPassword }
export const demoTotpHex = '3132333435363738393031323334353637383930'
export const demoTotpSecret = base32(Buffer.from(demoTotpHex, 'hex'))

type Account = {
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
  /** 'menu:action'; every action of the menus where none are named. */
  actions?: string[]
  unmask?: boolean
}

const organises = [
  {
    id: 2,
    name: '绿行充电（杭州）',
    short: '绿行',
    status: 1,
    expiresInDays: 300,
    policy: 1,
    city: '330100',
    legal: '徐文博',
    account: '绿行充电',
  },
  {
    id: 3,
    name: '快电出行（成都）',
    short: '快电',
    status: 3,
    expiresInDays: 12,
    policy: 2,
    city: '510100',
    legal: '唐明理',
    account: '快电出行',
  },
  {
    id: 4,
    name: '安驰能源（西安）',
    short: '安驰',
    status: 2,
    expiresInDays: -20,
    policy: 1,
    city: '610100',
    legal: '马国栋',
    account: '安驰能源',
  },
]
const agents = [
  { id: 1, organise: 2, parent: null, name: '浙北运营中心' },
  { id: 2, organise: 2, parent: 1, name: '余杭代理' },
  { id: 3, organise: 3, parent: null, name: '成都东区代理' },
  { id: 4, organise: 2, parent: 2, name: '良渚网点' },
  { id: 5, organise: 2, parent: 1, name: '西湖代理' },
  { id: 6, organise: 2, parent: null, name: '浙东运营中心' },
  { id: 7, organise: 2, parent: 6, name: '鄞州代理' },
  { id: 8, organise: 3, parent: 3, name: '锦江代理' },
  { id: 9, organise: 3, parent: 8, name: '春熙路网点' },
  { id: 10, organise: 3, parent: null, name: '川北运营中心' },
  { id: 11, organise: 4, parent: null, name: '西安南区代理' },
  { id: 12, organise: 4, parent: 11, name: '雁塔网点' },
]
const departments = [
  { id: 1, organise: 1, parent: null, name: '平台运营部', code: 'OPS', type: 3 },
  { id: 2, organise: 2, parent: null, name: '总部', code: 'HQ', type: 1 },
  { id: 3, organise: 2, parent: 2, name: '运维部', code: 'FIELD', type: 1 },
  { id: 4, organise: 2, parent: 2, name: '财务部', code: 'FIN', type: 1 },
  { id: 5, organise: 2, parent: 2, name: 'SIM 卡组', code: 'SIM', type: 2 },
  { id: 6, organise: 3, parent: null, name: '总部', code: 'HQ', type: 1 },
]
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

/** Adds what is missing. Serial numbers above 1000 stay free for what people add. */
export async function ensureDemoData(client: pg.Client, vault: Vault): Promise<void> {
  await ensureReferenceData(client)
  const passwordHash = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  await client.query("update organise set service_phone = '400-826-0571' where id = 1 and service_phone is null")
  for (const one of organises) {
    await client.query(
      `insert into organise (id, name, short_name, basic_service_status, service_phone, contact, phone, province_code, city_code,
         public_account, legal_person, created_by)
       values ($1, $2, $3, $4, '400-826-0571', $5, $6, left($7, 2) || '0000', $7, $8, $5, '周启明') on conflict do nothing`,
      [one.id, one.name, one.short, one.status, one.legal, `1370571${String(1000 + one.id)}`, one.city, one.account],
    )
    await client.query(
      `insert into organise_base_service (id, organise_id, unit_price_fen, free_devices, cycle, expires_on, grace_days, warn_days, expiry_policy, updated_by)
       values ($1, $1, 3600, 5, 12, (now() at time zone 'Asia/Shanghai')::date + $2::int, 7, 30, $3, '周启明') on conflict do nothing`,
      [one.id, one.expiresInDays, one.policy],
    )
  }
  for (const { id, organise, parent, name } of agents) {
    await client.query(
      `insert into agent (id, organise_id, parent_agent_id, depth, name, contact, phone, share_bp, created_by)
       values ($1, $2, $3, 1 + coalesce((select depth from agent where id = $3), 0), $4, '李海', $5, $6, '张伟') on conflict do nothing`,
      [id, organise, parent, name, `1370572${String(1000 + id)}`, parent === null ? 3000 : 1500],
    )
  }
  await addDemoSites(client)
  await addDemoDevices(client)
  await addDemoUpkeep(client)
  await addDemoOutages(client)
  await addDemoMerchants(client, vault)
  await addDemoMembers(client)
  await addDemoCards(client)
  await addDemoReconciliation(client)
  await addDemoTariffs(client)
  await addDemoOrders(client)
  for (const { id, organise, parent, name, code, type } of departments) {
    await client.query(
      `insert into department (id, organise_id, parent_id, name, code, type, leader, created_by) values ($1, $2, $3, $4, $5, $6, '张伟', '周启明') on conflict do nothing`,
      [id, organise, parent, name, code, type],
    )
  }
  for (const role of roles) await addRole(client, role)
  await addAuditRole(client)
  const total = await addAccounts(client, vault, passwordHash)
  await addDemoAdjustments(client)
  await addDemoRefunds(client, vault)
  for (const { loginName, organise, agent, role } of demoAccounts) {
    const person =
      'update % set admin_user_id = (select id from user_account where login_name = $2) where id = $1 and admin_user_id is null'
    if (role === '公众号管理') await client.query(person.replace('%', 'organise'), [organise, loginName])
    if (role === '运营商用户') await client.query(person.replace('%', 'agent'), [agent, loginName])
  }
  if (total > 0) console.log(`${total} demo accounts added`)
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

async function addAccounts(client: pg.Client, vault: Vault, passwordHash: string): Promise<number> {
  const extra: Account[] = Array.from({ length: 188 }, (_, place) => ({
    loginName: `staff${String(place + 1).padStart(3, '0')}`,
    name: `${surnames[(place * 7) % surnames.length] ?? '王'}${givenNames[place % givenNames.length] ?? '文博'}`,
    role: '普通员工',
    organise: 2,
    type: 1,
    department: 2 + (place % 4),
  }))
  let added = 0
  for (const [place, account] of [...demoAccounts, ...extra].entries()) {
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

export const newSecretKey = () => `k1:${randomBytes(32).toString('base64')}`
