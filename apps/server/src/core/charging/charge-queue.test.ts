import { countedOrder, messageEpochMs, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeStation } from '../../../test/fixtures/charging.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { ingestEffects } from '../../app/ingest-effects.ts'
import { ingestInto } from '../devices/ingest.jobs.ts'
import { replayLetter } from '../devices/replay.jobs.ts'
import { createPool } from '../../kit/db/db.ts'
import { advanceOrders } from './advance.jobs.ts'

/** Two workers on one database: events of a device are applied in device order, also after failures. */
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const pools = [1, 2].map(() => createPool(api.config.workerDatabaseUrl, 6))
const blocker = new pg.Client({ connectionString: superuserUrl(api.database) })
await blocker.connect()
afterAll(async () => {
  await blocker.end()
  for (const pool of pools) await pool.end()
})

let workers: (() => Promise<void>)[] = []
const startWorkers = () => {
  workers = pools.map((pool) => advanceOrders(pool, api.config.workerDatabaseUrl, pino({ level: 'silent' })))
}
afterEach(async () => {
  await Promise.all(workers.map((stop) => stop()))
  workers = []
})

let counter = 0
const item = (d: string, e: object, atMs: number, more: Partial<UpItem> = {}): UpItem => {
  const id = String((BigInt(atMs - messageEpochMs) << 22n) | BigInt(++counter % 1024))
  return { id, d, o: id, e: e as UpItem['e'], r: { key: `k${id}`, at: Math.floor(atMs / 1000) }, ...more }
}
const hourAgo = () => Date.now() - 3_600_000
const begins = (d: string, orderNo = 'L1', more: Partial<UpItem> = {}) =>
  item(d, { kind: 'offlineStart', port: 1, orderNo }, hourAgo(), more)
const ends = (d: string, orderNo = 'L1', fields: object = {}, more: Partial<UpItem> = {}) =>
  item(
    d,
    {
      kind: 'settlement',
      port: 1,
      orderNo,
      durationS: 3000,
      energyWh: 300,
      stopReason: { name: 'full', raw: 1 },
      ...fields,
    },
    Date.now(),
    more,
  )
const take = async (items: UpItem[]) => {
  const [pool] = pools
  if (pool === undefined) throw new Error('no pool')
  await ingestInto(pool, ingestEffects)(
    items.map((one) => ({ ...one, gateway: 9 })),
    Date.now(),
  )
}
/** Ages the queued events until no earlier message is expected. */
const age = () => api.sql("update charge_news set added_at = now() - interval '1 hour'")
const queueIsEmpty = () =>
  until(async () => ((await api.sql('select from charge_news')).length === 0 ? true : undefined))
const ordersOf = (deviceIds: string[]) =>
  api.sql<{ deviceId: string; wireNo: string; status: number; reasons: string[]; isOpen: boolean }>(
    `select o.device_id as "deviceId", wire_no as "wireNo", status, review_reasons as reasons,
       exists (select from open_charge where device_id = o.device_id) as "isOpen"
     from charging_order o where device_id = any($1::bigint[]) order by device_id, wire_no`,
    [deviceIds],
  )
const stations = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await makeStation(api, fixture.green, models)).deviceId))
const reviewed = (deviceId: string, wireNo = 'L1') => ({
  deviceId,
  wireNo,
  status: 5,
  reasons: ['noPayer'],
  isOpen: false,
})
const byDevice = (ids: string[]) => ids.toSorted((one, other) => Number(BigInt(one) - BigInt(other)))

describe('events of a device', () => {
  it('are applied in device order by two workers, also when the first event fails repeatedly', async () => {
    const ids = await stations(24)
    await take(ids.flatMap((id) => [begins(id), ends(id)]))
    await age()
    // The starts of some devices cannot be applied while another transaction holds their ports.
    const blockedIds = ids.filter((_, place) => place % 4 === 0)
    await blocker.query('begin')
    await blocker.query(
      `insert into open_charge (device_id, port_no, order_id, organise_id, wire_no) select id, 1, id, organise_id, 'held' from device where id = any($1::bigint[])`,
      [blockedIds],
    )
    startWorkers()
    await until(async () => {
      const tries = await api.sql<{ tries: number }>(
        "select tries from charge_news where kind = 'offlineStart' and device_id = any($1::bigint[])",
        [blockedIds],
      )
      return tries.length === blockedIds.length && tries.every((one) => one.tries > 0) ? true : undefined
    })
    expect(await ordersOf(blockedIds)).toEqual([])
    await blocker.query('rollback')
    await queueIsEmpty()
    expect(await ordersOf(ids)).toEqual(byDevice(ids).map((id) => reviewed(id)))
  })

  it('are applied in device order when a bill is committed before its start', async () => {
    const ids = await stations(6)
    startWorkers()
    const pairs = ids.map((id) => [begins(id), ends(id)] as const)
    await take(pairs.map(([, bill]) => bill))
    await take(pairs.map(([start]) => start))
    await queueIsEmpty()
    expect(await ordersOf(ids)).toEqual(byDevice(ids).map((id) => reviewed(id)))
  })

  it('are applied in the order of the device counter, also when the message ids of gateways differ from it', async () => {
    const [id = ''] = await stations(1)
    // Another gateway received the start after the bill.
    const bill = ends(id, 'L1', {}, { o: '12' })
    const start = item(id, { kind: 'offlineStart', port: 1, orderNo: 'L1' }, Date.now(), { o: '11' })
    await take([bill, start])
    await age()
    startWorkers()
    await queueIsEmpty()
    expect(await ordersOf([id])).toMatchObject([{ wireNo: 'L1', isOpen: false }])
    expect((await ordersOf([id]))[0]?.reasons).not.toContain('unknownOrder')
  })

  /** A charge at an MQTT device, whose messages the gateways share. */
  async function mqttCharge() {
    const [id = ''] = await stations(1)
    await api.sql("update device set adapter = 'mqtt-json' where id = $1", [id])
    const counted = (seq: number): Partial<UpItem> => ({ o: countedOrder(7n, BigInt(seq)), boot: 7, seq })
    const report = (seq: number, energyWh: number) => {
      const status = { name: 'working', raw: 2 }
      const event = { kind: 'portReport', port: 1, orderNo: 'L1', status, powerDw: 5000, durationS: 60 * seq, energyWh }
      return item(id, event, Date.now(), { ...counted(seq), r: undefined })
    }
    const bill = (seq: number) => ends(id, 'L1', {}, counted(seq))
    await take([begins(id, 'L1', counted(1))])
    startWorkers()
    await queueIsEmpty()
    return { id, report, bill }
  }
  const reasonsOf = async (id: string) => (await ordersOf([id]))[0]?.reasons

  it('reveal a falling meter, also when the higher report is stored after the lower one', async () => {
    const { id, report, bill } = await mqttCharge()
    await take([report(3, 110)])
    await take([report(2, 280)])
    await take([bill(4)])
    await queueIsEmpty()
    expect(await reasonsOf(id)).toContain('backwards')
  })

  it('reveal no falling meter when rising reports are stored in another order', async () => {
    const { id, report, bill } = await mqttCharge()
    await take([report(4, 280)])
    await take([report(3, 200), report(2, 110)])
    await take([bill(5)])
    await queueIsEmpty()
    expect(await reasonsOf(id)).toEqual(['noPayer'])
  })

  it('delay a bill until an earlier report of the device arrives', async () => {
    const { id, report, bill } = await mqttCharge()
    await take([bill(3)])
    await until(async () => {
      const [first] = await api.sql('select from charge_news where not_before > added_at')
      return first
    })
    expect(await ordersOf([id])).toMatchObject([{ isOpen: true }])
    await take([report(2, 400)])
    await queueIsEmpty()
    expect(await reasonsOf(id)).toContain('backwards')
  })

  it('settle a bill after the waiting time when an earlier report never arrives', async () => {
    const { id, bill } = await mqttCharge()
    await take([bill(3)])
    await until(async () => {
      const [first] = await api.sql('select from charge_news where not_before > added_at')
      return first
    })
    await age()
    await queueIsEmpty()
    expect(await reasonsOf(id)).toEqual(['noPayer'])
  })

  it('wait behind an event that fails until it is a dead letter, and a replay enqueues it again', async () => {
    const [id = ''] = await stations(1)
    // More energy than the column holds.
    const bad = ends(id, 'BAD', { energyWh: 3_000_000_000 })
    await take([bad, begins(id, 'L2', { o: String(BigInt(bad.id) + 1n) })])
    await age()
    startWorkers()
    const letter = () =>
      api.sql<{ status: number; reason: string }>('select status, reason from device_dead_letter where id = $1', [
        bad.id,
      ])
    await until(async () => {
      if ((await letter()).length > 0) return true
      expect(await ordersOf([id])).toEqual([])
      // Ends the back-off.
      await api.sql('update charge_news set not_before = now() where id = $1 and not_before > now()', [bad.id])
      return undefined
    })
    expect(await letter()).toMatchObject([{ status: 1, reason: expect.stringContaining('out of range') as string }])
    await queueIsEmpty()
    expect(await ordersOf([id])).toMatchObject([{ wireNo: 'L2', status: 2, isOpen: true }])

    await api.sql(
      `update device_dead_letter set status = 2, content = jsonb_set(content, '{e,energyWh}', '300') where id = $1`,
      [bad.id],
    )
    const [pool] = pools
    if (pool !== undefined) await replayLetter(pool, ingestInto(pool, ingestEffects), bad.id)
    await age()
    await queueIsEmpty()
    expect(await ordersOf([id])).toMatchObject([
      { wireNo: 'BAD', status: 5 },
      { wireNo: 'L2', status: 2 },
    ])
  })
})

describe('a start or an end of a charge that always fails', () => {
  /** Makes updates of the planted orders fail until the returned function is called. */
  const breakOrders = async () => {
    const say = (body: string) =>
      api.sql(`create or replace function fail_order() returns trigger language plpgsql as $$ begin ${body}; end $$`)
    await say("raise exception 'broken'")
    await api.sql(
      `create or replace trigger fail_order before update on charging_order for each row
       when (old.wire_no = 'broken') execute function fail_order()`,
    )
    return () => say('return new')
  }
  const plant = (deviceIds: string[], due: 'confirm_by' | 'end_by', wire: string, agoS: number) =>
    api.sql(
      `with made as (
         insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, start_mode, billing_type, status, limit_by, limit_value)
         select organise_id, agent_id, site_id, device.id, port, device_no, device_type_id, $2, 1, 0, $3, 1, 300
         from device, generate_series(1, 2) port where device.id = any($1::bigint[]) returning *
       )
       insert into open_charge (device_id, port_no, order_id, organise_id, agent_id, site_id, wire_no, ${due})
       select device_id, port_no, id, organise_id, agent_id, site_id, wire_no, now() - make_interval(secs => $4) from made`,
      [deviceIds, wire, due === 'confirm_by' ? 1 : 2, agoS],
    )

  it.each(['confirm_by', 'end_by'] as const)(
    'by %s is retried with back-off and does not block other orders',
    async (due) => {
      const mend = await breakOrders()
      const ids = await stations(61)
      const [good = '', ...bad] = ids
      await plant(bad, due, 'broken', 7200)
      await plant([good], due, 'good', 3600)
      startWorkers()
      await until(async () => ((await ordersOf([good])).every(({ isOpen }) => !isOpen) ? true : undefined))
      const tries = await api.sql<{ tries: number; isLater: boolean }>(
        "select tries, retry_at > now() - interval '10 min' as \"isLater\" from open_charge where wire_no = 'broken'",
      )
      expect(tries).toHaveLength(120)
      expect(tries.filter((one) => one.tries > 0 && one.isLater).length).toBeGreaterThan(20)
      await mend()
      await api.sql("update open_charge set retry_at = now() where wire_no = 'broken'")
      await until(async () => ((await ordersOf(bad)).every(({ isOpen }) => !isOpen) ? true : undefined))
    },
  )
})
