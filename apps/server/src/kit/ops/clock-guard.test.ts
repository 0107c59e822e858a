import { connect } from '@nats-io/transport-node'
import { type ClockAnswer, clockBus } from '@wattdeck/contract/events/clock.ts'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { startWorkerProcess } from '../../../test/harness/process.ts'
import { hangMs, until } from '../../../test/harness/until.ts'
import { makeClock } from '../../../../../tools/dev/moved-clock.ts'
import { mayDropByAge } from './clock-guard.ts'
import { createPool } from '../db/db.ts'

const yearMs = 365 * 86_400_000
const clock = makeClock()
const api = await startApi()
const worker = await startWorkerProcess(api.config, { ...clock.env, LOG_LEVEL: 'error' })
afterAll(async () => {
  await worker.stop()
  clock.remove()
})

const listDayPartitions = async () => {
  const rows = await api.sql<{ child: string }>(
    `select inhrelid::regclass::text as child from pg_inherits
     where inhparent = any('{device_message, device_command}'::regclass[])`,
  )
  return rows.map(({ child }) => child)
}
const readiness = async () => (await fetch(`${worker.admin}/ready`)).json() as Promise<Record<string, boolean>>
const metric = async (to: string) => {
  const text = await (await fetch(`${worker.admin}/metrics`)).text()
  const value = new RegExp(`^clock_difference_seconds\\{to="${to}"\\} (\\S+)$`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value)
}
const messages = () =>
  worker
    .output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)

describe('a worker', () => {
  it('compares its clock with the clocks of the database and NATS', async () => {
    for (const to of ['database', 'nats']) {
      const differenceS = await until(() => metric(to))
      expect(Math.abs(differenceS)).toBeLessThan(5)
    }
    expect(await readiness()).toMatchObject({ clock: true })
  })

  it('replies to gateways with the time of the database', async () => {
    const bus = await connect({ servers: api.config.natsUrl })
    const before = Date.now()
    const { ms } = (await bus.request(clockBus.ask(api.config.prefix), '', { timeout: hangMs })).json<ClockAnswer>()
    expect(ms).toBeGreaterThanOrEqual(before - 1)
    expect(ms).toBeLessThanOrEqual(Date.now() + 1)
    await bus.close()
  })

  it('drops no partition by age and is not ready while its clock is a year ahead of the database', async () => {
    const before = await listDayPartitions()
    clock.moveTo(Date.now() + yearMs)
    await until(async () => ((await readiness())['clock'] === false ? true : undefined))
    // The upkeep round is over when the partitions of the wrong year exist.
    const wrongDay = `device_command_${new Date(Date.now() + yearMs).toISOString().slice(0, 10).replaceAll('-', '')}`
    await until(async () => ((await listDayPartitions()).includes(wrongDay) ? true : undefined))
    await until(() => (messages().some((text) => text.includes('nothing is dropped by age')) ? true : undefined))
    expect(await listDayPartitions()).toEqual(expect.arrayContaining(before))
    await until(() => (messages().includes('clock differs') ? true : undefined))
    expect(await metric('database')).toBeGreaterThan(yearMs / 1000 - 60)
  })

  it('is ready again as soon as its clock is right', async () => {
    clock.moveTo(Date.now())
    await until(async () => ((await readiness())['clock'] === true ? true : undefined))
    const pool = createPool(api.config.workerDatabaseUrl, 1)
    expect(await mayDropByAge(pool, pino({ level: 'silent' }))).toBe(true)
    await pool.end()
  })
})
