import { labState, tariffLab } from '@wattdeck/contract/product/tariff-lab.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { byClock, byPower, makeTariff } from '../../../../test/fixtures/tariffs.ts'
import { until } from '../../../../test/harness/until.ts'
import { commit, inScope } from '../../../kit/db/db.ts'
import { wholeOrganise } from '../../../kit/db/scope.ts'
import { samplesOf } from './tariff-lab.store.ts'

let keeper: Actor
let deviceId: string
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
const orders = 300

const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  const { green } = fixture
  const models = await makeModels(api)
  const at = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId, typeId: models.mqtt }
  deviceId = await makeDevice(api, at)
  keeper = await makePerson(api, { organiseId: green.id, loginName: 'lab_keeper', menus: ['4', '4.1', '4.1.4'] })
  await fill()
  worker = await startWorkerProcess(api.config)
})
afterAll(() => worker.stop())

/** Past charges of five members, some across midnight, with and without readings, one of another device. */
async function fill(): Promise<void> {
  const { green } = fixture
  await api.sql(
    `insert into member (id, organise_id, nickname) select 900000 + n, $1, '会员' || n from generate_series(1, 5) n`,
    [green.id],
  )
  await api.sql(
    `insert into charging_order (id, organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id,
       start_mode, billing_type, status, limit_by, limit_value, held_paid_fen, started_at, ended_at, duration_s, energy_dwh, peak_power_dw,
       electricity_fen, service_fen, total_fen, paid_fen, settled_at)
     select app.message_id(at) + n, device.organise_id, device.agent_id, device.site_id, device.id, 1, device.device_no, device.device_type_id,
       'lab' || n, 900001 + n % 5, 1, 0, 3, 2, 60, 100000, at, at + make_interval(secs => seconds), seconds, energy,
       case when n % 3 = 0 then 2000 + n * 7 end, fee, fee / 2, fee + fee / 2, fee + fee / 2, at + interval '1 day'
     from device, generate_series(1, $2) n,
       lateral (select now() - make_interval(hours => 30 + n * 2) as at, 600 + (n * 97) % 20000 as seconds, 100 + (n * 131) % 60000 as energy,
         10 + (n * 13) % 400 as fee) made
     where device.id = $1`,
    [deviceId, orders],
  )
  await api.sql(
    `insert into charge_sample (order_id, at, organise_id, agent_id, site_id, energy_dwh, power_dw)
     select o.id, o.started_at + make_interval(secs => o.duration_s * k / 10), o.organise_id, o.agent_id, o.site_id, o.energy_dwh * k * k / 100, 1500 + k * 200
     from charging_order o, generate_series(1, 9) k where o.id % 2 = 0`,
  )
}

type Stored = {
  id: string
  member_id: string
  start_ms: number
  end_ms: number
  duration_s: number
  energy_dwh: number
  peak_power_dw: number | null
  total_fen: string
  samples: { atMs: number; energyDwh: number; powerDw: number }[] | null
}

/** The same charges, priced one by one. */
async function oneByOne(rules: TariffRules, days: number) {
  const rows = await api.sql<Stored>(
    `select o.id, o.member_id, (extract(epoch from started_at) * 1000)::float8 as start_ms, (extract(epoch from ended_at) * 1000)::float8 as end_ms,
       duration_s, o.energy_dwh, peak_power_dw, total_fen,
       (select jsonb_agg(jsonb_build_object('atMs', round(extract(epoch from s.at) * 1000), 'energyDwh', s.energy_dwh, 'powerDw', s.power_dw) order by s.at)
        from charge_sample s where s.order_id = o.id) as samples
     from charging_order o where o.id > app.message_id(now() - make_interval(days => $1))`,
    [days],
  )
  let [before, after, electricity, dearer] = [0n, 0n, 0n, 0]
  const members = new Map<string, bigint>()
  for (const row of rows) {
    const bill = price(rules, {
      startMs: Math.round(row.start_ms),
      endMs: Math.round(row.end_ms),
      durationS: row.duration_s,
      energyDwh: row.energy_dwh,
      peakPowerDw: row.peak_power_dw ?? undefined,
      samples: row.samples ?? undefined,
    })
    const was = BigInt(row.total_fen)
    before += was
    after += bill.totalFen
    electricity += bill.electricityFen
    if (bill.totalFen > was) dearer++
    members.set(row.member_id, (members.get(row.member_id) ?? 0n) + bill.totalFen - was)
  }
  return { count: rows.length, before, after, electricity, dearer, members }
}

async function tryOut(rules: TariffRules, days: number) {
  const tariff = await makeTariff(api, { organiseId: fixture.green.id, rules, deviceIds: [deviceId] })
  const { data, status } = await api.call(keeper.token, tariffLab.start, {
    body: { id: tariff.id, versionId: tariff.versionId, days },
  })
  expect(status).toBe(200)
  return until(async () => {
    const { data: run } = await api.call(keeper.token, tariffLab.read, { params: { id: data.id } })
    return run.state > labState.code.running ? run : undefined
  })
}

describe('past charges', () => {
  it.each([
    ['by the clock', byClock, 90],
    ['by the highest power', byPower, 20],
    ['by the power of each moment', { ...byPower, mode: 'segmented' } as TariffRules, 20],
  ])('priced %s add up to what they cost one by one', async (_, rules, days) => {
    const run = await tryOut(rules, days)
    const expected = await oneByOne(rules, days)
    expect(expected.count).toBeGreaterThan(100)
    expect(run).toMatchObject({
      state: labState.code.done,
      reached: 1000,
      priced: expected.count,
      result: {
        count: expected.count,
        skipped: 0,
        before: { total: yuanText(expected.before) },
        after: { total: yuanText(expected.after), electricity: yuanText(expected.electricity) },
        dearer: expected.dearer,
        siteCount: 1,
        memberCount: 5,
        lawHolds: true,
      },
    })
    const { losers = [], gainers = [] } = run.result ?? {}
    const differences = [...expected.members.values()]
    const more = differences.filter((fen) => fen > 0n).toSorted((a, b) => Number(b - a))
    const less = differences.filter((fen) => fen < 0n).toSorted((a, b) => Number(a - b))
    expect(losers.map(({ difference }) => difference)).toEqual(more.map(yuanText))
    expect(gainers.map(({ difference }) => difference)).toEqual(less.map(yuanText))
    expect([...losers, ...gainers].every(({ name }) => /^会\*+$/.test(name))).toBe(true)
  })

  it('of an unbound tariff are none, unless sites are named for which it would apply', async () => {
    const tariff = await makeTariff(api, { organiseId: fixture.green.id, rules: byClock, draft: true })
    const start = (siteIds?: string[]) =>
      api.call(keeper.token, tariffLab.start, {
        body: { id: tariff.id, versionId: tariff.versionId, days: 90, siteIds },
      })
    const result = async (id: string) =>
      until(async () => {
        const { data: run } = await api.call(keeper.token, tariffLab.read, { params: { id } })
        return run.result ?? undefined
      })
    expect((await result((await start()).data.id)).count).toBe(0)
    expect((await result((await start([fixture.green.siteId])).data.id)).count).toBe(orders)
    expect((await start([fixture.swift.siteId])).status).toBe(404)
  })

  it('are neither simulated for nor shown to another organisation', async () => {
    const tariff = await makeTariff(api, { organiseId: fixture.green.id, rules: byClock })
    const body = { id: tariff.id, versionId: tariff.versionId, days: 7 }
    const stranger = await makePerson(api, {
      organiseId: fixture.swift.id,
      loginName: 'lab_stranger',
      menus: ['4', '4.1', '4.1.4'],
    })
    expect((await api.call(stranger.token, tariffLab.start, { body })).status).toBe(404)
    const { data } = await api.call(keeper.token, tariffLab.start, { body })
    expect((await api.call(stranger.token, tariffLab.read, { params: { id: data.id } })).status).toBe(404)
  })

  it('keep their readings up to the limit of each, however many the others have', async () => {
    const rows = await api.sql<{ id: string }>(
      'select distinct order_id::text as id from charge_sample order by 1 limit 3',
    )
    const ids = rows.map(({ id }) => id)
    const scope = wholeOrganise(fixture.green.id)
    const samples = await inScope(api.deps.pool, scope, 'read', async ({ db }) => commit(await samplesOf(db, ids, 4)))
    expect(ids.map((id) => samples.get(id)?.length)).toEqual([4, 4, 4])
    for (const { 0: first, 3: last } of samples.values()) expect(last?.atMs).toBeGreaterThan(first?.atMs ?? 0)
  })
})
