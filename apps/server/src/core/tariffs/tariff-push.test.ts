import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { makeTariff } from '../../../test/fixtures/tariffs.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool, type Db, inScope, commit } from '../../kit/db/db.ts'
import { wholeOrganise } from '../../kit/db/scope.ts'
import { listDevices } from '../../features/product/device-manage/device-manage.store.ts'
import { registerFleet } from '../../../../../tools/demo/fleet-data.ts'
import { findStartable } from '../charging/order.store.ts'
import { keepTariffs } from './tariff-push.jobs.ts'

/** Which piles get a price push, and how few rows the check reads. */
let pile: string
let stop: () => Promise<void>
const api = await startApi()
const pool = createPool(api.config.workerDatabaseUrl, 2)
const fixture = await makeFixture(api)
beforeAll(async () => {
  const { id: organiseId, siteId } = fixture.green
  await registerFleet(api.database, { organiseId, siteId, dny: 0, mqtt: 0, ykc: 1 })
  const [row] = await api.sql<{ id: string }>("select id from device where adapter = 'ykc'")
  pile = row?.id ?? ''
  stop = keepTariffs(pool, pino({ level: 'silent' }))
})
afterAll(async () => {
  await stop()
  await pool.end()
})

const pushed = async () => {
  await until(async () => ((await api.sql('select from tariff_push_due')).length === 0 ? true : undefined))
  const rows = await api.sql<{ version: string; modelNo: number; siteId: string }>(
    'select version_id as version, model_no as "modelNo", site_id as "siteId" from tariff_push where device_id = $1',
    [pile],
  )
  return rows[0]
}

describe('a pile', () => {
  it('gets a push for every cause of a price change, and only then', async () => {
    const { id: organiseId, siteId } = fixture.green
    const addTariff = (params: { siteIds?: string[]; deviceIds?: string[] } = {}) =>
      makeTariff(api, { organiseId, ...params })
    expect(await pushed()).toBeUndefined()
    const ofSite = await addTariff({ siteIds: [siteId] })
    expect(await pushed()).toEqual({ version: ofSite.versionId, modelNo: 1, siteId })

    const later = await addTariff()
    await api.sql('update tariff set version_id = $2 where id = $1', [ofSite.id, later.versionId])
    expect(await pushed()).toEqual({ version: later.versionId, modelNo: 2, siteId })

    const own = await addTariff({ deviceIds: [pile] })
    expect(await pushed()).toEqual({ version: own.versionId, modelNo: 3, siteId })
    const unheard = await addTariff({ siteIds: [siteId] })
    expect(await pushed()).toEqual({ version: own.versionId, modelNo: 3, siteId })
    await api.sql('update device set tariff_id = null where id = $1', [pile])
    expect(await pushed()).toEqual({ version: unheard.versionId, modelNo: 4, siteId })

    const [other] = await api.sql<{ id: string }>(
      "insert into site (organise_id, agent_id, name) select organise_id, agent_id, '邻站' from site where id = $1 returning id",
      [siteId],
    )
    const there = await addTariff({ siteIds: [other?.id ?? ''] })
    await api.sql('update device set site_id = $2 where id = $1', [pile, other?.id])
    expect(await pushed()).toEqual({ version: there.versionId, modelNo: 5, siteId: other?.id })

    // A disabled tariff is not pushed, and enabling it again changes nothing for a pile that has it.
    const swapped = async (status: number) => {
      await api.sql('update tariff set status = $2 where id = $1', [there.id, status])
      return pushed()
    }
    expect(await swapped(0)).toMatchObject({ version: there.versionId, modelNo: 5 })
    expect(await swapped(1)).toMatchObject({ version: there.versionId, modelNo: 5 })
  })
})

const crowd = 3000
/** Number of rows of a table that this transaction has read, by scan or index. */
async function rowsRead(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_xact_user_tables where relname = ${table}`.execute(db)
  return rows[0]?.read ?? 0
}

describe('a tariff among thousands', () => {
  it('is found by its id for a start and for a list, and old devices are found by id', async () => {
    const { id: organiseId } = fixture.green
    const { id } = await makeTariff(api, { organiseId, deviceIds: [pile] })
    await api.sql(`set session_replication_role = replica;
      insert into tariff (organise_id, name, billing_type, versions) select ${organiseId}, n, 0, 0 from generate_series(1, ${crowd}) n;
      insert into tariff_version (tariff_id, organise_id, no, rules, display_text, state) select n, ${organiseId}, 2, '{}', '公示', 4 from generate_series(1, ${crowd}) n;
      insert into device (organise_id, device_no, name, device_type_id, category_id, small_category_id, adapter, wire_id, port_count, free_ports, tariff_id, created_at)
      select ${organiseId}, 100000 + n, 'test', device_type_id, category_id, small_category_id, adapter, 100000 + n, 2, 2, ${id}, now() - interval '1 day' * (${crowd} - n)
      from device, generate_series(1, ${crowd}) n where id = ${pile};
      set session_replication_role = origin; analyze tariff, tariff_version, device`)
    const inOrganise = (work: (db: Db) => Promise<unknown>, table: string) =>
      inScope(api.deps.pool, wholeOrganise(organiseId), 'read', async ({ db }) => {
        const before = await rowsRead(db, table)
        await work(db)
        return commit((await rowsRead(db, table)) - before)
      })
    const start = (db: Db) => findStartable(db, pile, 1)
    // The planner may read the version table, too.
    for (const table of ['tariff', 'tariff_version']) {
      const read = await inOrganise(start, table)
      expect(read).toBeGreaterThan(0)
      expect(read).toBeLessThan(5)
    }
    const list = (filter: object) => (db: Db) =>
      listDevices(db, wholeOrganise(organiseId), { pageNum: 1, pageSize: 10, skipCount: true, ...filter })
    expect(await inOrganise(list({}), 'tariff')).toBe(10)
    const createdTo = new Date(Date.now() - 2000 * 86_400_000).toISOString().slice(0, 10)
    const longAgo = await inOrganise(list({ createdTo }), 'device')
    expect(longAgo).toBeGreaterThan(0)
    expect(longAgo).toBeLessThan(100)
  })
})
