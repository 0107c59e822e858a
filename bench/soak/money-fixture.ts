import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import type pg from 'pg'
import { ensureReferenceData } from '../../apps/server/src/seed/reference-data.ts'
import { Vault } from '../../apps/server/src/kit/crypto/vault.ts'
import type { TestApi } from '../../apps/server/test/harness/api.ts'
import type { Sandbox } from './money-provider.ts'

/** Dependencies on an api that runs elsewhere. */
type Api = Pick<TestApi, 'sql'> & { deps: Pick<TestApi['deps'], 'vault'> }

export const database = 'wattdeck_money'
export const gateway = 9
export const members = 300
export const devices = 1500
export const startFen = 100_000_000n

/** A high price, so that one second costs something. */
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

/** A fresh database with an organisation (2), its site (3) and a tariff in force there. */
export async function makePlace(name: string, tariff: TariffRules = rules): Promise<void> {
  const { asSuperuser, ensureDatabase, ensureRoles, migrate } = await import('../../tools/ops/database.ts')
  await ensureRoles()
  await ensureDatabase(name)
  await migrate(name)
  await asSuperuser(name, async (sql) => {
    await sql.query(
      "insert into organise (id, name) values (2, '机构'); insert into site (id, organise_id, name) values (3, 2, '站点')",
    )
    await sql.query("insert into tariff (id, organise_id, name, billing_type) values (4, 2, '标准', 0)")
    await sql.query(
      `insert into tariff_version (id, tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at) values (5, 4, 2, 1, $1, '', 2, now(), now())`,
      [JSON.stringify(tariff)],
    )
    await sql.query('update tariff set version_id = 5; update site set tariff_id = 4')
  })
}

/**
 * An organisation with funded members, online devices, a tariff, an open-interface program, merchants at both
 * providers, and staff who handle refunds.
 */
export async function makeMoneyFixture(secretKeys: string[], sandbox: Sandbox) {
  await makePlace(database)
  const { asSuperuser } = await import('../../tools/ops/database.ts')
  const { makePayers } = await import('../../tools/demo/load-clients.ts')
  const { registerFleet } = await import('../../tools/demo/fleet-data.ts')
  const { makeTrader } = await import('../../apps/server/test/fixtures/payments.ts')
  const { makeRefunder } = await import('../../apps/server/test/fixtures/refunds.ts')
  const { app, memberIds } = await makePayers(database, { organiseId: '2', secretKeys, members, fen: startFen })
  await registerFleet(database, { organiseId: '2', siteId: '3', dny: devices, mqtt: 0, ports: 2 })
  return asSuperuser(database, async (client) => {
    await ensureReferenceData(client)
    await client.query(
      `update device set online = true; update device_state set gateway = ${gateway}; update device_type set rated_w = 1000`,
    )
    const { rows } = await client.query<{ name: string }>('select device_no as name from device order by id')
    const sql: Api['sql'] = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await client.query<R>(text, values)).rows
    const api: Api = { sql, deps: { vault: new Vault(secretKeys) } }
    for (const provider of ['wechat', 'alipay'] as const) await makeTrader({ api, sandbox }, '2', provider)
    const [maker, auditor, approver] = [
      await makeRefunder(api, '2', 'maker'),
      await makeRefunder(api, '2', 'auditor'),
      await makeRefunder(api, '2', 'approver'),
    ]
    const tokens = { maker: maker.token, auditor: auditor.token, approver: approver.token }
    return { app, members: memberIds, devices: rows.map(({ name }) => name), tokens }
  })
}
