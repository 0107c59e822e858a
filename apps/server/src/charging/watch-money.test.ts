import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../test/api.ts'
import { makeModels, type Models } from '../../test/devices.ts'
import { chargingOrder, orderMenus } from '../../test/orders.ts'
import { type Actor, makePerson, makeWorld, type World } from '../../test/people.ts'
import { until } from '../../test/until.ts'
import { createPool } from '../kit/db.ts'
import { watchMoney } from './watch-money.jobs.ts'
import { pino } from 'pino'

let api: TestApi
let world: World
let models: Models
let operator: Actor
let pool: ReturnType<typeof createPool>
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
  models = await makeModels(api)
  operator = await makePerson(api, { organiseId: world.green.id, loginName: 'green_money', menus: orderMenus })
  pool = createPool(api.config.workerDatabaseUrl, 4)
  // Two, as in production: whatever both notice is done once.
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
  it('is stopped once when its money is used up, and not before', { timeout: 20_000 }, async () => {
    const { id } = await chargingOrder(api, operator.token, world.green, models)
    // 3.00 yuan are held at 1.02 a kWh: they last for 2.94 kWh.
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

  it('that goes on after a stop came to nothing is told again, but not at once', async () => {
    const { id } = await chargingOrder(api, operator.token, world.green, models)
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
