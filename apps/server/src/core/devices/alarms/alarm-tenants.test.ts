import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'
import { createPool } from '../../../kit/db/db.ts'
import { startJobs } from '../../../kit/jobs/jobs.ts'
import { watchAlarms } from './alarm.jobs.ts'

let pool: pg.Pool
let boss: PgBoss
let stop: () => Promise<void>
const devices: Record<string, string> = {}
const faults: { organiseId: string; failures: number; msg: string }[] = []
const api = await startApi()
const fixture = await makeFixture(api)
const { dny } = await makeModels(api)
beforeAll(async () => {
  for (const { id } of [fixture.swift, fixture.green])
    devices[id] = await makeDevice(api, { organiseId: id, typeId: dny, deviceNo: `ALARM${id}` })
  pool = createPool(api.config.workerDatabaseUrl, 4)
  boss = await startJobs(pool, () => undefined)
  const log = pino(
    { level: 'error' },
    { write: (line: string) => void faults.push(JSON.parse(line) as (typeof faults)[number]) },
  )
  stop = watchAlarms(pool, boss, log)
})
afterAll(async () => {
  await stop()
  await boss.stop({ graceful: false })
  await pool.end()
})

const signal = (organiseId: string, portNo: number) =>
  api.sql(
    `insert into alarm_signal (device_id, organise_id, port_no, kind, sick, at, due_at)
     values ($1, $2, $3, $4, true, now(), now() - interval '1 hour')`,
    [devices[organiseId], organiseId, portNo, alarmKind.code.smoke],
  )
const alarmsOf = async (organiseId: string) =>
  (await api.sql<{ port_no: number }>('select port_no from alarm where organise_id = $1 order by 1', [organiseId])).map(
    ({ port_no }) => port_no,
  )

describe('alarms of an organisation whose processing fails', () => {
  it('are retried with back-off, while alarms of other organisations are raised', async () => {
    await api.sql(
      `create function refuse_alarm() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    )
    await api.sql(
      `create trigger refuse before insert on alarm for each row when (new.organise_id = ${fixture.swift.id}) execute function refuse_alarm()`,
    )
    await signal(fixture.swift.id, 1)
    await until(() => (faults.length > 0 ? true : undefined))
    for (const port of [1, 2, 3]) {
      await signal(fixture.green.id, port)
      await until(async () => ((await alarmsOf(fixture.green.id)).includes(port) ? true : undefined))
    }
    expect(await alarmsOf(fixture.swift.id)).toEqual([])
    await until(() => (faults.length > 1 ? true : undefined))
    expect(new Set(faults.map(({ organiseId }) => organiseId))).toEqual(new Set([fixture.swift.id]))
    expect(faults.map(({ failures }) => failures)).toEqual(faults.map((_, place) => place + 1))

    await api.sql('drop trigger refuse on alarm')
    await until(async () => ((await alarmsOf(fixture.swift.id)).length > 0 ? true : undefined))
    expect(await alarmsOf(fixture.swift.id)).toEqual([1])
    expect(await alarmsOf(fixture.green.id)).toEqual([1, 2, 3])
  })
})
