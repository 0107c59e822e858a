import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { chargingOrder, orderMenus } from '../../../test/fixtures/orders.ts'
import { makePerson, makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool } from '../../kit/db/db.ts'
import { watchMoney, watchMoneyOnce } from './watch-money.jobs.ts'
import { pino } from 'pino'

const stops: (() => Promise<void>)[] = []
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const operator = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_money', menus: orderMenus })
const pool = createPool(api.config.workerDatabaseUrl, 4)
beforeAll(async () => {
  // Two workers, as in production: a charge that both detect is stopped once.
  for (const _ of [1, 2]) stops.push(watchMoney(pool, pino({ level: 'silent' }), 50))
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await pool.end()
})

const commandsOf = (id: string) =>
  api.sql<{ kind: string; issued_by: string }>(
    `select kind, issued_by from device_command where content ->> 'orderNo' = $1 and kind = 'stopPort'`,
    [id],
  )
const report = (id: string, energyDwh: number) =>
  api.sql('update open_charge set energy_dwh = $2, reported_at = clock_timestamp() where order_id = $1', [
    id,
    energyDwh,
  ])
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))

describe('a charge', () => {
  it('is stopped once when its reserved money is used up, and not before', async () => {
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    // 3.00 yuan are reserved at 1.02 yuan per kWh, enough for 2.94 kWh.
    await report(id, 29_300)
    await pause(400)
    expect(await commandsOf(id)).toEqual([])
    await report(id, 29_450)
    await until(async () => ((await commandsOf(id)).length > 0 ? true : undefined))
    await report(id, 29_900)
    await pause(400)
    expect(await commandsOf(id)).toEqual([{ kind: 'stopPort', issued_by: '系统' }])
    const [order] = await api.sql<{ stopped: boolean; status: number }>(
      'select stop_command_id is not null as stopped, status from charging_order where id = $1',
      [id],
    )
    expect(order).toEqual({ stopped: true, status: 2 })
  })

  it('that continues after a failed stop gets another stop, but not at once', async () => {
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    await report(id, 40_000)
    await until(async () => ((await commandsOf(id)).length > 0 ? true : undefined))
    const endStop = (agoS: number) =>
      api.sql(
        `update device_command set status = 7, ended_at = now() - make_interval(secs => $2)
         where id = (select stop_command_id from charging_order where id = $1)`,
        [id, agoS],
      )
    await endStop(10)
    await report(id, 41_000)
    await pause(400)
    expect(await commandsOf(id)).toHaveLength(1)
    await endStop(61)
    await report(id, 42_000)
    await until(async () => ((await commandsOf(id)).length > 1 ? true : undefined))
  })
})

describe('a round of the money watch', () => {
  const log = pino({ level: 'silent' })
  /** Rows of open_charge that one round reads, from the statistics of its single connection. */
  async function rowsRead(work: (own: ReturnType<typeof createPool>) => Promise<unknown>): Promise<number> {
    const own = createPool(api.config.workerDatabaseUrl, 1)
    const read = async () => {
      await own.query('select pg_stat_force_next_flush()')
      const { rows } = await own.query<{ n: string }>(
        `select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = 'open_charge'`,
      )
      return Number(rows[0]?.n)
    }
    const before = await read()
    await work(own)
    const after = await read()
    await own.end()
    return after - before
  }

  it('reads only the charges that are due, regardless of how many are open', async () => {
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    for (const stop of stops.splice(0)) await stop()
    while ((await watchMoneyOnce(pool, log)) > 0);
    // Charges that report and whose money lasts far beyond their consumption.
    await api.sql(
      `insert into open_charge (device_id, port_no, order_id, organise_id, wire_no, reported_at, energy_dwh, duration_s,
         money_safe_dwh, money_safe_s)
       select 9000000 + i, 1, 9000000 + i, $1, 'x', now(), 100, 60, 1000, 2147483647 from generate_series(1, 3000) i`,
      [fixture.green.id],
    )
    await api.sql('analyze open_charge')
    expect(await rowsRead((own) => watchMoneyOnce(own, log))).toBe(0)
    await api.sql("update open_charge set reported_at = clock_timestamp(), energy_dwh = 900 where wire_no = 'x'")
    expect(await rowsRead((own) => watchMoneyOnce(own, log))).toBe(0)

    await report(id, 100)
    while ((await watchMoneyOnce(pool, log)) > 0);
    // With 3.00 yuan at 1.02 yuan per kWh, no report below 2.9 kWh needs a check.
    await report(id, 28_000)
    expect(await watchMoneyOnce(pool, log)).toBe(0)
    expect(await commandsOf(id)).toEqual([])
    await report(id, 29_900)
    // One read each: by the index, to claim the row, to record the check, to stop the charge.
    expect(await rowsRead((own) => watchMoneyOnce(own, log))).toBeLessThan(20)
    expect(await commandsOf(id)).toHaveLength(1)
    expect(await watchMoneyOnce(pool, log)).toBe(0)
  })
})
