import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import { ensureReferenceData } from '../../apps/server/src/seed/reference-data.ts'
import { addCityFaults, city, cityDistricts, cityNames, cityTariffs } from './demo-city.ts'
import { addDemoCardLife } from './demo-card-life.ts'
import { addDemoCards } from './demo-cards.ts'
import { addDemoDevices } from './demo-devices.ts'
import { addDemoUpkeep } from './demo-upkeep.ts'
import { addDemoCoupons } from './demo-coupons.ts'
import { addDemoAdjustments, addDemoBlocks, addDemoMembers, addDemoWhitelist } from './demo-members.ts'
import { addDemoDeskRecharges } from './demo-desk.ts'
import { addDemoOutages } from './demo-outages.ts'
import { addDemoOrders } from './demo-orders.ts'
import { addDemoPasses } from './demo-passes.ts'
import { addDemoMerchants } from './demo-payments.ts'
import { type Account, addDemoPeople, demoAccounts } from './demo-people.ts'
import { addDemoRechargePlans } from './demo-recharge-plans.ts'
import { addDemoReconciliation } from './demo-recon.ts'
import { addDemoRefunds, addPastRefunds } from './demo-refunds.ts'
import { addDemoSites } from './demo-sites.ts'
import { addDemoTariffs } from './demo-tariffs.ts'

/** Demo data: the platform and three organisations, with one account for each role of the specification. */
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
/**
 * Adds the missing rows. Serial numbers above 1000 are reserved for rows that people add. The city, with this many
 * orders a day, is added with the whole demo or never.
 */
export async function ensureDemoData(
  client: pg.Client,
  vault: Vault,
  options: { cityPerDay?: number } = {},
): Promise<void> {
  await ensureReferenceData(client)
  await client.query("update organise set service_phone = '400-826-0571' where id = 1 and service_phone is null")
  const existing = await client.query<{ id: number }>('select id::int from organise where id in (2, 5)')
  const hasCity =
    existing.rowCount === 0 ? options.cityPerDay !== undefined : existing.rows.some(({ id }) => id === city.organise.id)
  for (const one of hasCity ? [...organises, city.organise] : organises) {
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
  for (const { id, organise, parent, name } of hasCity ? [...agents, ...city.agents] : agents) {
    await client.query(
      `insert into agent (id, organise_id, parent_agent_id, depth, name, contact, phone, share_bp, created_by)
       values ($1, $2, $3, 1 + coalesce((select depth from agent where id = $3), 0), $4, '李海', $5, $6, '张伟') on conflict do nothing`,
      [id, organise, parent, name, `1370572${String(1000 + id)}`, parent === null ? 3000 : 1500],
    )
  }
  await addDemoSites(client, hasCity ? cityDistricts : [])
  await addDemoDevices(client)
  await addDemoUpkeep(client)
  await addDemoOutages(client)
  if (hasCity) await addCityFaults(client)
  await addDemoMerchants(client, vault)
  for (const { id } of hasCity ? [...organises, city.organise] : organises) await addDemoRechargePlans(client, id)
  await addDemoMembers(client, vault, hasCity ? { apps: city.apps, names: cityNames } : { apps: [], names: [] })
  await addDemoCards(client)
  await addDemoReconciliation(client)
  await addDemoTariffs(client, hasCity ? cityTariffs : [])
  await addDemoOrders(
    client,
    hasCity ? [{ organise: city.organise.id, perDay: options.cityPerDay ?? 0, open: 30, doubtOneOf: 70 }] : [],
  )
  for (const { id, organise, parent, name, code, type } of hasCity ? [...departments, city.department] : departments) {
    await client.query(
      `insert into department (id, organise_id, parent_id, name, code, type, leader, created_by) values ($1, $2, $3, $4, $5, $6, '张伟', '周启明') on conflict do nothing`,
      [id, organise, parent, name, code, type],
    )
  }
  const total = await addDemoPeople(client, vault, hasCity)
  await addDemoAdjustments(client)
  await addDemoBlocks(client)
  await addDemoWhitelist(client)
  await addDemoCoupons(client)
  await addDemoDeskRecharges(client)
  await addDemoCardLife(client, hasCity ? [2, 3, 4, city.organise.id] : [2, 3, 4])
  await addDemoPasses(client)
  await addDemoRefunds(client, vault)
  if (hasCity) await addPastRefunds(client, city.organise.id, city.account.loginName)
  const heads: readonly Account[] = hasCity ? [...demoAccounts, city.account] : demoAccounts
  for (const { loginName, organise, agent, role } of heads) {
    const person =
      'update % set admin_user_id = (select id from user_account where login_name = $2) where id = $1 and admin_user_id is null'
    if (role === '公众号管理') await client.query(person.replace('%', 'organise'), [organise, loginName])
    if (role === '运营商用户') await client.query(person.replace('%', 'agent'), [agent, loginName])
  }
  if (total > 0) console.log(`${total} demo accounts added`)
}

export const newSecretKey = () => `k1:${randomBytes(32).toString('base64')}`
