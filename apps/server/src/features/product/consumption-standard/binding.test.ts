import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { tariffPush } from '@wattdeck/contract/product/tariff-push.ts'
import { batch, batchStatus } from '@wattdeck/contract/system/batch.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { byClock, byTime, makeTariff } from '../../../../test/fixtures/tariffs.ts'
import { until } from '../../../../test/harness/until.ts'
import { registerFleet } from '../../../../../../tools/demo/fleet-data.ts'

/** Worker tasks for tariffs: binding many rows, activating versions, pushing to devices. */
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const fleet = await registerFleet(api.database, { organiseId: fixture.green.id, dny: 0, mqtt: 0, ykc: 4 })
const numbers = fleet.map(({ deviceNo }) => deviceNo)
const piles = (
  await api.sql<{ id: string }>('select id from device where device_no = any($1) order by id', [numbers])
).map(({ id }) => id)
const menus = ['1', '1.4', '1.4.4', '4', '4.1', '4.1.1', '4.1.4']
const keeper = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_binding', menus })
const worker = await startWorkerProcess(api.config)
afterAll(() => worker.stop())

const ended = (id: string) =>
  until(async () => {
    const { data } = await api.call(keeper.token, batch.detail, { query: { id } })
    return data.status > batchStatus.code.running ? data : undefined
  })
const reasons = async (id: string) =>
  (
    await api.call(keeper.token, batch.items, { params: { id }, query: { status: 2, pageSize: 500 } as never })
  ).data.rows.map(({ reason }) => reason)

describe('a tariff', () => {
  it('is bound to the chosen devices; each incompatible device reports the reason', async () => {
    const { green, swift } = fixture
    const socket = await makeDevice(api, { organiseId: green.id, typeId: models.dny })
    const tariff = await makeTariff(api, { organiseId: green.id, rules: byTime })
    const { data } = await api.call(keeper.token, consumptionStandard.bindDevices, {
      body: { ids: [socket, piles[0] ?? ''], tariffId: tariff.id },
    })
    expect(await ended(data.jobId)).toMatchObject({ done: 1, failed: 1 })
    expect(await reasons(data.jobId)).toEqual(['该类充电桩仅支持按电量计费'])
    const { data: list } = await api.call(keeper.token, deviceManage.list, { query: { pageSize: 100 } as never })
    expect(list.rows.find(({ id }) => id === socket)).toMatchObject({ tariffName: tariff.name, tariffOfSite: false })

    const foreign = await makeTariff(api, { organiseId: swift.id })
    const refused = await api.call(keeper.token, consumptionStandard.bindDevices, {
      body: { ids: [socket], tariffId: foreign.id },
    })
    expect(refused.status).toBe(404)
    const { token } = fixture.platform.root
    const across = await api.call(token, consumptionStandard.bindDevices, {
      body: { ids: [socket], tariffId: foreign.id },
    })
    const job = await until(async () => {
      const { data: now } = await api.call(token, batch.detail, { query: { id: across.data.jobId } })
      return now.status > batchStatus.code.running ? now : undefined
    })
    expect(job).toMatchObject({ done: 0, failed: 1 })
    // The device moves to another organisation, where the tariff of the old one does not apply.
    const moved = await api.call(token, deviceManage.changePlot, { body: { ids: [socket], organiseId: swift.id } })
    await until(async () => {
      const { data: now } = await api.call(token, batch.detail, { query: { id: moved.data.jobId } })
      return now.done === 1 ? now : undefined
    })
    expect(await api.sql('select organise_id, tariff_id from device where id = $1', [socket])).toEqual([
      { organise_id: swift.id, tariff_id: null },
    ])
    const unpublished = await makeTariff(api, { organiseId: green.id, draft: true })
    expect(
      await api.call(keeper.token, consumptionStandard.bindDevices, {
        body: { ids: [piles[3] ?? ''], tariffId: unpublished.id },
      }),
    ).toMatchObject({ status: 422, message: '该消费标准尚未发布' })
  })

  it('is bound to a site, for all devices without their own', async () => {
    const { green } = fixture
    const at = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId, typeId: models.dny }
    const [follower, own] = [await makeDevice(api, at), await makeDevice(api, at)]
    const [general, special] = [
      await makeTariff(api, { organiseId: green.id }),
      await makeTariff(api, { organiseId: green.id, rules: byTime, deviceIds: [own] }),
    ]
    const { data } = await api.call(keeper.token, consumptionStandard.bindSites, {
      body: { ids: [green.siteId], tariffId: general.id },
    })
    expect(await ended(data.jobId)).toMatchObject({ done: 1, failed: 0 })
    const { data: devices } = await api.call(keeper.token, deviceManage.list, {
      query: { siteId: green.siteId } as never,
    })
    const named = (id: string) => devices.rows.find((row) => row.id === id)
    expect(named(follower)).toMatchObject({ tariffName: general.name, tariffOfSite: true })
    expect(named(own)).toMatchObject({ tariffName: special.name, tariffOfSite: false })
    const { data: sites } = await api.call(keeper.token, site.list, {})
    expect(sites.rows.find(({ id }) => id === green.siteId)?.tariffName).toBe(general.name)
    const inForce = await api.sql<{ version: string }>('select app.version_in_force($1) as version', [follower])
    expect(inForce).toEqual([{ version: general.versionId }])
    const { data: counted } = await api.call(keeper.token, consumptionStandard.list, {
      query: { keyword: general.name } as never,
    })
    expect(counted.rows).toMatchObject([{ deviceCount: 1, siteCount: 1 }])
  })
})

describe('a scheduled version', () => {
  it('takes effect at its time, and is pushed to devices that price charges themselves', async () => {
    const pile = piles[1] ?? ''
    const tariff = await makeTariff(api, { organiseId: fixture.green.id, deviceIds: [pile] })
    const pushed = async () =>
      (
        await api.sql<{ version_id: string; state: number; command_id: string | null }>(
          'select version_id, state, command_id from tariff_push where device_id = $1',
          [pile],
        )
      )[0]
    await until(async () => ((await pushed())?.state === 2 ? true : undefined))
    const [next] = await api.sql<{ id: string }>(
      `insert into tariff_version (tariff_id, organise_id, no, rules, display_text, state, effective_at, published_at, published_by)
       values ($1, $2, 2, $3, '公示', 1, now() + interval '2 s', now(), '张伟') returning id`,
      [tariff.id, fixture.green.id, JSON.stringify(byClock)],
    )
    expect((await pushed())?.version_id).toBe(tariff.versionId)
    await until(async () => ((await pushed())?.version_id === next?.id ? true : undefined))
    const states = await api.sql('select no, state from tariff_version where tariff_id = $1 order by no', [tariff.id])
    expect(states).toEqual([
      { no: 1, state: 3 },
      { no: 2, state: 2 },
    ])
    const push = await until(async () => {
      const [command] = await api.sql<{ content: { modelNo: number; periods: number[]; prices: object[] } }>(
        "select content from device_command where device_id = $1 and kind = 'setTariff' and (content ->> 'modelNo')::int = 2",
        [pile],
      )
      return command
    })
    expect(push.content.prices[1]).toEqual({ energyYuanE5: 105_000, serviceYuanE5: 50_000 })
    expect(push.content.periods.slice(15, 17)).toEqual([3, 1])
  })

  it('that a device did not confirm shows the reason, and is pushed again on request', async () => {
    const pile = piles[2] ?? ''
    const tariff = await makeTariff(api, { organiseId: fixture.green.id, deviceIds: [pile] })
    const shown = async () =>
      (await api.call(keeper.token, tariffPush.list, { params: { id: tariff.id } })).data.rows[0]
    await until(async () => ((await shown())?.state === 2 ? true : undefined))
    // The device was never online, so its command expires, as after a day.
    await api.sql(
      `update device_command set expires_at = now() - interval '1 s' where device_id = $1 and kind = 'setTariff'`,
      [pile],
    )
    await until(async () => ((await shown())?.state === 4 ? true : undefined))
    expect(await shown()).toMatchObject({ needsTariff: true, versionNo: 1, reason: '指令已过期', confirmedAt: null })
    const again = await api.call(keeper.token, tariffPush.retry, { body: { ids: [pile] } })
    expect(again.data).toEqual({ changed: 1 })
    await until(async () => ((await shown())?.state === 2 ? true : undefined))
  })
})
