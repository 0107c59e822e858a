import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { realHabits } from '../../simulator/src/habits.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { makeFixture } from '../../server/test/harness/people.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { makeClock } from '../../../tools/dev/moved-clock.ts'

const lateMs = 600_000
const clock = makeClock()
const habits = { ...realHabits, heartbeatMs: 1000, reportMs: 1000, resendMs: 1000, idleMs: 0 }
let api: TestApi
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let fleet: ReturnType<typeof startFleet>

beforeAll(async () => {
  api = await startApi()
  const fixture = await makeFixture(api)
  await api.sql(`insert into device_category (id, level, code, name) values (1, 1, '02', 'x') on conflict do nothing`)
  const identities = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 3, mqtt: 0, ports: 2 })
  worker = await startWorkerProcess(api.config)
  gateway = await startGatewayProcess(api.config, { ...clock.env, LOG_LEVEL: 'error' })
  fleet = startFleet({
    identities,
    habits,
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 1000,
  })
})
afterAll(async () => {
  fleet.stop()
  await gateway.stop()
  await worker.stop()
  clock.remove()
})

const isReady = async () => (await fetch(`${gateway.admin}/ready`)).ok
const untilReady = (ready: boolean) => until(async () => ((await isReady()) === ready ? true : undefined))
const metric = async (name: string) => {
  const text = await (await fetch(`${gateway.admin}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}
const lastMessage = async () =>
  (await api.sql<{ id: string }>('select coalesce(max(id), 0)::text as id from device_message'))[0]?.id ?? '0'
const untilAllSpokeAfter = (id: string) =>
  until(async () => {
    const spoke = await api.sql(`select distinct device_id from device_message where id > ${id}`)
    return spoke.length === 3 ? true : undefined
  })

describe('gateway whose clock is ten minutes slow', () => {
  it('closes its connections, refuses new ones, and is not ready', async () => {
    await until(async () => ((await api.sql('select from device where online')).length === 3 ? true : undefined))
    clock.moveTo(Date.now() - lateMs)
    await untilReady(false)
    await until(async () => ((await metric('gateway_clock_wrong')) === 1 ? true : undefined))
    expect(await metric('clock_difference_seconds\\{to="nats"\\}')).toBeLessThan(-590)
    expect(await metric('clock_difference_seconds\\{to="database"\\}')).toBeLessThan(-590)
    expect(gateway.output()).toContain('clock is wrong; devices are refused')
    // The devices keep reconnecting: each connection closes after its first frame.
    const socket = connect(gateway.dnyPort, '127.0.0.1')
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
    socket.destroy()
    const before = await metric('gateway_dny_strangers_total')
    await until(async () => ((await metric('gateway_dny_strangers_total')) > before + 3 ? true : undefined))
  })

  it('accepts devices again when its clock is correct', async () => {
    const before = await lastMessage()
    clock.moveTo(Date.now())
    await untilReady(true)
    // The database may still show devices online that have not reconnected yet.
    await untilAllSpokeAfter(before)
    await until(async () => ((await api.sql('select from device where online')).length === 3 ? true : undefined))
    // No event of the meantime carries the wrong time.
    expect(
      await api.sql("select from device_event where kind = 'offline' and at < now() - interval '5 minutes'"),
    ).toEqual([])
  })

  it('keeps its connections while only NATS disagrees, and is not ready', async () => {
    await worker.stop()
    clock.moveTo(Date.now() - lateMs)
    await untilReady(false)
    expect(await metric('gateway_clock_wrong')).toBe(0)
    expect(await metric('gateway_dny_sockets')).toBe(3)
    clock.moveTo(Date.now())
    await untilReady(true)
    worker = await startWorkerProcess(api.config)
  })
})
