import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { createPool } from '../db/db.ts'
import { alarmDays, maintainPartitions, partitionedTables } from './partitions.jobs.ts'

const dayMs = 86_400_000
const api = await startApi()
const fixture = await makeFixture(api)
const organiseId = fixture.green.id
const models = await makeModels(api)
const deviceId = await makeDevice(api, { organiseId, typeId: models.dny, deviceNo: 'CLOCK001' })

/** A worker whose clock the test moves. Collects its log lines at level error and above. */
function makeWorker() {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const pool = createPool(api.config.workerDatabaseUrl, 2)
  return { lines, keep: (at: number) => maintainPartitions(pool, log, () => at), end: () => pool.end() }
}

const record = (key: string, at: string) =>
  api.sql(
    `insert into device_record (device_id, record_key, recorded_at, organise_id, message_id, kind, content, received_at)
     values ($1, $2, $3::timestamptz, $4, 1, 'settlement', '{}', now())
     on conflict do nothing returning record_key`,
    [deviceId, key, at, organiseId],
  )
const yearsFromNow = (years: number) => new Date(Date.now() + years * 365 * dayMs).toISOString()

/** Neighbouring partitions with a gap or an overlap. */
const seams = (table: string) =>
  api.sql<{ child: string }>(
    `select child::text from (
       select child, lower_at, lag(upper_at) over (order by lower_at) as before from app.partition_bounds($1::regclass)
     ) as ordered where before <> lower_at`,
    [table],
  )

describe('partitions', () => {
  it('are created ahead by two workers for 400 days, also when the installation was migrated in another time zone', async () => {
    // The template database is migrated in the time zone of the server, as every installation was.
    const [first] = await api.sql<{ hour: number }>(
      "select extract(hour from min(lower_at) at time zone 'Asia/Shanghai')::int as hour from app.partition_bounds('posting')",
    )
    expect(first?.hour).not.toBe(0)
    // Devices whose clocks are wrong by months and by a year.
    for (const [place, years] of [-1, -0.3, 0.3, 0.5, 1].entries()) await record(`wrong-${place}`, yearsFromNow(years))
    // A posting is immutable, but it may have to move to another partition.
    await api.sql(
      `insert into posting (key, key_at, organise_id, kind, ref, input_hash, digest, xid, posted_at)
       values ('clock/1', $1::timestamptz, $2, 1, 'clock', '', '', '1', now())`,
      [yearsFromNow(0.5), organiseId],
    )
    const [one, other] = [makeWorker(), makeWorker()]
    for (let day = 0; day <= 400; day += 4) {
      const at = Date.now() + day * dayMs
      const remainingDays = await Promise.all([one.keep(at), other.keep(at)])
      expect(Math.min(...remainingDays), `day ${day}`).toBeGreaterThanOrEqual(alarmDays)
    }
    expect([...one.lines, ...other.lines]).toEqual([])
    for (const table of ['audit_log', 'device_record', 'device_event', 'posting', 'entry'])
      expect(await seams(table), table).toEqual([])
    await Promise.all([one.end(), other.end()])
  })

  it('move a posting out of the default partition, which still refuses changes', async () => {
    expect(await api.sql("select from posting where key = 'clock/1'")).toHaveLength(1)
    expect(await api.sql('select from posting_other')).toEqual([])
    await expect(api.sql("update posting set ref = 'x' where key = 'clock/1'")).rejects.toThrow('never changed')
    const guarded = await api.sql(
      "select from pg_trigger where tgrelid = 'posting_other'::regclass and tgname = 'never_changes'",
    )
    expect(guarded).toHaveLength(1)
  })

  it('store each record of a device once, however wrong the clock of the device is', async () => {
    for (const [place, years] of [-1, -0.3, 0.3, 0.5, 1].entries())
      expect(
        await api.sql('select from device_record where record_key = $1', [`wrong-${place}`]),
        String(years),
      ).toHaveLength(1)
    const [{ at } = { at: '' }] = await api.sql<{ at: string }>(
      "select recorded_at::text as at from device_record where record_key = 'wrong-2'",
    )
    expect(await record('wrong-2', at)).toEqual([])
  })

  it('report a table whose partitions cannot be created, and still maintain the other tables', async () => {
    const worker = makeWorker()
    // Beyond the partitions of the test above: 400 days and three whole months.
    const at = Date.now() + 600 * dayMs
    await api.sql('alter table card_swipe rename to card_swipe_away')
    expect(await worker.keep(at)).toBe(0)
    await api.sql('alter table card_swipe_away rename to card_swipe')
    const texts = worker.lines.map((line) => JSON.parse(line) as { table: string; msg: string })
    expect(texts.map(({ table, msg }) => `${table}: ${msg}`)).toEqual([
      'card_swipe: partitions not made; will retry',
      'card_swipe: too few partitions ahead',
    ])
    expect(await worker.keep(at)).toBeGreaterThanOrEqual(alarmDays)
    await worker.end()
  })

  it('are maintained for every partitioned table of the schema', async () => {
    const tables = await api.sql<{ name: string }>('select partrelid::regclass::text as name from pg_partitioned_table')
    const own = tables.map(({ name }) => name).filter((name) => !name.startsWith('pgboss.'))
    expect(own.toSorted()).toEqual(partitionedTables.toSorted())
  })
})
