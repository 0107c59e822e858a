import { randomBytes } from 'node:crypto'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { Vault } from '../apps/server/src/kit/vault.ts'

export const database = 'wattdeck_money'
export const gateway = 9
export const members = 300
export const devices = 400
export const startFen = 100_000_000n

/** Dear, so that a second of it costs something. */
export const rules: TariffRules = {
  billingType: 0,
  minFeeFen: 0,
  startFeeFen: 0,
  freeMinutes: 0,
  maxMinutes: 600,
  fullStop: true,
  refundUnused: true,
  occupancy: null,
  presets: [],
  segments: [{ fromMin: 0, toMin: 1440, period: 'flat', electricityE5: 3_100_000, serviceE5: 2_000_000 }],
}

/** An organisation with members who have money, devices that are online, a tariff, and a program that may ask. */
export async function makeMoneyWorld(secretKeys: string[]) {
  const { asSuperuser, ensureDatabase, ensureRoles, migrate } = await import('../tools/database.ts')
  const { registerFleet } = await import('../tools/fleet-data.ts')
  await ensureRoles()
  await ensureDatabase(database)
  await migrate(database)
  const app = { appKey: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('hex') }
  await asSuperuser(database, async (sql) => {
    await sql.query(
      "insert into organise (id, name) values (2, '机构'); insert into site (id, organise_id, name) values (3, 2, '站点')",
    )
    await sql.query("insert into tariff (id, organise_id, name, billing_type) values (4, 2, '标准', 0)")
    await sql.query(
      `insert into tariff_version (id, tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at) values (5, 4, 2, 1, $1, '', 2, now(), now())`,
      [JSON.stringify(rules)],
    )
    await sql.query('update tariff set version_id = 5; update site set tariff_id = 4')
    await sql.query(`insert into open_app (organise_id, name, app_key, secret_sealed) values (2, '小程序', $1, $2)`, [
      app.appKey,
      new Vault(secretKeys).seal(app.secret),
    ])
    await sql.query(
      `insert into member (organise_id, nickname) select 2, '会员' || i from generate_series(1, ${members}) i`,
    )
    await sql.query(
      `select app.post(jsonb_agg(jsonb_build_object('key', 'recharge/' || id, 'keyAt', now(), 'organiseId', 2, 'agentId', null, 'siteId', null, 'kind', 1, 'ref', id::text,
         'lines', jsonb_build_array(jsonb_build_array(1, id, ${startFen}), jsonb_build_array(51, 1, -${startFen})))))
       from (select *, row_number() over () / 100 as part from member) m group by part`,
    )
  })
  await registerFleet(database, { organiseId: '2', siteId: '3', dny: devices, mqtt: 0, ports: 2 })
  return asSuperuser(database, async (sql) => {
    await sql.query(
      `update device set online = true; update device_state set gateway = ${gateway}; update device_type set rated_w = 1000`,
    )
    const names = async (text: string) => (await sql.query<{ name: string }>(text)).rows.map(({ name }) => name)
    return {
      app,
      members: await names('select id::text as name from member order by id'),
      devices: await names('select device_no as name from device order by id'),
    }
  })
}
