import { consumptionStandard } from '@wattdeck/contract/product/consumption-standard.ts'
import { sheetOf, type TariffSheet } from '@wattdeck/contract/product/tariff-sheet.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { byClock, byEnergy, byPower, byTime, makeTariff } from '../../../../test/fixtures/tariffs.ts'

const menus = ['4', '4.1', '4.1.4']
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const keeper = await makePerson(api, { organiseId: fixture.green.id, loginName: 'keeper', menus })

const save = (rules: TariffSheet, name: string, deviceTypeIds: string[] = []) =>
  api.call(keeper.token, consumptionStandard.add, { body: { name, deviceTypeIds, rules } })
const read = async (id: string, token = keeper.token) =>
  (await api.call(token, consumptionStandard.read, { params: { id } })).data
const publish = async (id: string, effectiveAt?: string) => {
  const { draft } = await read(id)
  return api.call(keeper.token, consumptionStandard.publish, {
    body: { id, versionId: draft?.versionId ?? '1', effectiveAt },
  })
}
/** Posts as the console does, and returns the refused fields. */
async function refusal(body: object) {
  const reply = await fetch(api.url + consumptionStandard.add.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keeper.token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  })
  return { status: reply.status, ...((await reply.json()) as { fields?: Record<string, string> }) }
}

describe('a new tariff', () => {
  it('is a draft with the entered figures, and is listed as text', async () => {
    const sheet = sheetOf(byClock)
    const { data, status } = await save({ ...sheet, minFee: '1', startFee: '2.5' }, '分时电价', [models.dny])
    expect(status).toBe(200)
    const { draft, inForce } = await read(data.id)
    expect(inForce).toBeNull()
    expect(draft).toMatchObject({ no: 1, sheet: { minFee: '1.00', startFee: '2.50', segments: { length: 3 } } })
    const { data: list } = await api.call(keeper.token, consumptionStandard.list, {
      query: { keyword: '分时' } as never,
    })
    expect(list.rows).toMatchObject([
      {
        prices: '电费 0.35–1.05，服务费 0.40–0.50 元/度',
        segmentCount: 3,
        minFee: '1.00',
        versionNo: null,
        draftNo: 1,
        deviceTypeNames: ['双路桩'],
        deviceCount: 0,
      },
    ])
  })

  it.each([
    ['a gap in the day', { segments: [{ ...sheetSegment(), toMin: 1439 }] }, 'rules.segments'],
    ['a price of six decimals', { segments: [{ ...sheetSegment(), electricity: '0.123456' }] }, 'rules'],
    [
      'a price of a hundred yuan and more',
      { segments: [{ ...sheetSegment(), service: '100.00001' }] },
      'rules.segments.0.service',
    ],
    [
      'electricity hidden in the service fee',
      { segments: [{ ...sheetSegment(), electricity: '0' }] },
      'rules.segments.0.electricity',
    ],
    ['a preset below the minimum', { minFee: '2', presets: [{ by: 'money', value: '1' }] }, 'rules.presets.0.value'],
    ['a longest time of nothing', { maxMinutes: 0 }, 'rules.maxMinutes'],
  ])('with %s is refused at the field', async (_, change, field) => {
    const rules = { ...sheetOf(byEnergy), ...change }
    const { status, fields } = await refusal({ name: '坏标准', rules })
    expect(status).toBe(422)
    expect(Object.keys(fields ?? {})).toContain(field)
  })

  it('is refused where its models do not support it', async () => {
    const ykc = await makeYkc()
    const { status, fields } = await refusal({ name: '按时间', deviceTypeIds: [ykc.typeId], rules: sheetOf(byTime) })
    expect([status, fields]).toEqual([422, { 'rules.billingType': '该类充电桩仅支持按电量计费' }])
    const odd = sheetOf({
      ...byClock,
      segments: byClock.segments.map((one) => ({
        ...one,
        fromMin: one.fromMin === 480 ? 485 : one.fromMin,
        toMin: one.toMin === 480 ? 485 : one.toMin,
      })),
    })
    expect(await refusal({ name: '不齐', deviceTypeIds: [ykc.typeId], rules: odd })).toMatchObject({
      status: 422,
      fields: { 'rules.segments.0.toMin': '时段须以整点或半点为界' },
    })
    expect((await refusal({ name: '不齐', rules: odd })).status).toBe(200)
  })

  it('has a unique name in its organisation', async () => {
    await save(sheetOf(byEnergy), '同名')
    expect(await save(sheetOf(byEnergy), '同名')).toMatchObject({ status: 409, message: '消费标准名称已存在' })
  })
})

function sheetSegment() {
  return { fromMin: 0, toMin: 1440, period: 'flat', electricity: '0.6', service: '0.4' }
}

let ykcType = ''
async function makeYkc(siteId?: string) {
  if (ykcType === '') {
    const [protocol] = await api.sql<{ id: string }>(
      `insert into dtu_protocol (code, name, version, adapter, transport, access_way, heartbeat_s)
       values ('TEST-YKC', 'TEST-YKC', 'V1', 'ykc', 1, 0, 60) returning id`,
    )
    const [type] = await api.sql<{ id: string }>(
      `insert into device_type (code, name, category_id, small_category_id, port_count, metering, rated_w, protocol_id)
       values ('91-01-09', '测试直流桩', $1, $2, 2, 0, 60000, $3) returning id`,
      [models.category, models.small, protocol?.id],
    )
    ykcType = type?.id ?? ''
  }
  return {
    typeId: ykcType,
    id: await makeDevice(api, { organiseId: fixture.green.id, typeId: ykcType, siteId: siteId ?? null }),
  }
}

describe('versions', () => {
  it('take effect one after the other, and the history describes each change', async () => {
    const { data } = await save(sheetOf(byEnergy), '涨价')
    expect((await publish(data.id)).status).toBe(200)
    const dearer = { ...byEnergy, segments: byEnergy.segments.map((one) => ({ ...one, serviceE5: 45_000 })) }
    const edit = (rules: TariffSheet) =>
      api.call(keeper.token, consumptionStandard.edit, {
        body: { id: data.id, name: '涨价', deviceTypeIds: [], rules },
      })
    expect((await edit(sheetOf(byEnergy))).message).toBe('保存成功')
    expect((await read(data.id)).draft).toBeNull()
    expect((await edit(sheetOf(dearer))).message).toBe('已保存为草稿，发布后生效')
    expect(await read(data.id)).toMatchObject({ inForce: { no: 1 }, draft: { no: 2 } })
    expect((await publish(data.id)).status).toBe(200)
    expect(await read(data.id)).toMatchObject({ inForce: { no: 2 }, draft: null })
    const { data: history } = await api.call(keeper.token, consumptionStandard.versions, { params: { id: data.id } })
    expect(history.rows).toMatchObject([
      {
        no: 2,
        state: 2,
        changes: [
          { kind: 'removed', line: '平时段 00:00–24:00：电费 0.62 元/度，服务费 0.40 元/度' },
          { kind: 'added', line: '平时段 00:00–24:00：电费 0.62 元/度，服务费 0.45 元/度' },
        ],
      },
      { no: 1, state: 3, changes: null },
    ])
    expect(await edit(sheetOf(byTime))).toMatchObject({ status: 422 })
  })

  it('are published as reviewed: a draft that changed meanwhile is refused', async () => {
    const { data } = await save(sheetOf(byEnergy), '改过的草稿')
    const { draft } = await read(data.id)
    await api.call(keeper.token, consumptionStandard.edit, {
      body: { id: data.id, name: '改过的草稿', deviceTypeIds: [], rules: { ...sheetOf(byEnergy), minFee: '9' } },
    })
    const stale = { id: data.id, versionId: draft?.versionId ?? '' }
    expect(await api.call(keeper.token, consumptionStandard.publish, { body: stale })).toMatchObject({ status: 409 })
    expect(await read(data.id)).toMatchObject({ inForce: null, draft: { sheet: { minFee: '9.00' } } })
  })

  it('wait for their time, one at a time, and can be withdrawn', async () => {
    const { data } = await save(sheetOf(byEnergy), '下月起')
    const year = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    expect(await publish(data.id, '2020-01-01 00:00')).toMatchObject({ status: 422, message: '生效时间须晚于现在' })
    expect((await publish(data.id, '2026-02-30 00:00')).status).toBe(422)
    expect((await publish(data.id, `${year} 00:00`)).status).toBe(200)
    const { scheduled } = await read(data.id)
    expect(scheduled).toMatchObject({ no: 1, effectiveAt: `${year} 00:00:00` })
    await api.call(keeper.token, consumptionStandard.edit, {
      body: { id: data.id, name: '下月起', deviceTypeIds: [], rules: { ...sheetOf(byEnergy), minFee: '1' } },
    })
    expect(await publish(data.id, `${year} 00:00`)).toMatchObject({
      status: 409,
      message: '已有待生效的版本，请先撤销',
    })
    const body = { id: data.id, versionId: scheduled?.versionId ?? '' }
    expect((await api.call(keeper.token, consumptionStandard.withdraw, { body })).status).toBe(200)
    expect((await api.call(keeper.token, consumptionStandard.withdraw, { body })).status).toBe(409)
    expect(await read(data.id)).toMatchObject({ inForce: null, scheduled: null, draft: { no: 2 } })
  })

  it('are protected by the database once published', async () => {
    const { versionId } = await makeTariff(api, { organiseId: fixture.green.id })
    await expect(api.sql('update tariff_version set rules = $2 where id = $1', [versionId, '{}'])).rejects.toThrow(
      'says what it says',
    )
    await expect(api.sql('delete from tariff_version where id = $1', [versionId])).rejects.toThrow('is kept')
  })

  it('must suit the devices that charge by them to be published', async () => {
    const ykc = await makeYkc()
    const tariff = await makeTariff(api, { organiseId: fixture.green.id, deviceIds: [ykc.id] })
    const rules = sheetOf({ ...byEnergy, presets: [{ by: 'minutes', value: 60 }] })
    const body = { id: tariff.id, name: tariff.name, deviceTypeIds: [], rules }
    expect(await api.call(keeper.token, consumptionStandard.edit, { body })).toMatchObject({
      status: 422,
      message: '该类充电桩仅支持按金额的档位',
    })
  })
})

describe('a tariff in use', () => {
  it('is neither disabled nor removed; once free, it is removed and its name is available', async () => {
    const device = await makeDevice(api, { organiseId: fixture.green.id, typeId: models.dny })
    const { id, name } = await makeTariff(api, { organiseId: fixture.green.id, deviceIds: [device] })
    const stop = { ids: [id], status: 0 as const }
    expect(await api.call(keeper.token, consumptionStandard.toggle, { body: stop })).toMatchObject({ status: 409 })
    expect(await api.call(keeper.token, consumptionStandard.remove, { body: { ids: [id] } })).toMatchObject({
      status: 409,
      message: `消费标准「${name}」仍有1台设备、0个站点使用，不能删除`,
    })
    await api.sql('update device set tariff_id = null where id = $1', [device])
    expect((await api.call(keeper.token, consumptionStandard.remove, { body: { ids: [id] } })).status).toBe(200)
    expect((await api.call(keeper.token, consumptionStandard.read, { params: { id } })).status).toBe(404)
    expect((await save(sheetOf(byPower), name)).status).toBe(200)
  })

  it('is copied as a new draft', async () => {
    const { id } = await makeTariff(api, { organiseId: fixture.green.id, rules: byPower })
    const { data } = await api.call(keeper.token, consumptionStandard.copy, { body: { id, name: '复制品' } })
    expect(await read(data.id)).toMatchObject({ billingType: 2, inForce: null, draft: { sheet: sheetOf(byPower) } })
  })
})

describe('an agent', () => {
  it('reads the tariffs of the organisation and those in force elsewhere in it, and changes only its own', async () => {
    const { green } = fixture
    const agent = await makePerson(api, { organiseId: green.id, agentId: green.agentId, loginName: 'keeper_a', menus })
    const brand = await makeTariff(api, { organiseId: green.id })
    const own = await makeTariff(api, { organiseId: green.id, agentId: green.agentId })
    const body = { id: brand.id, name: '改名', deviceTypeIds: [], rules: sheetOf(byEnergy) }
    expect(await read(brand.id, agent.token)).toMatchObject({ own: false, inForce: { no: 1 } })
    expect(await read(own.id, agent.token)).toMatchObject({ own: true })
    expect((await api.call(agent.token, consumptionStandard.edit, { body })).status).toBe(404)
    const mine = { ...body, id: own.id }
    expect((await api.call(agent.token, consumptionStandard.edit, { body: mine })).status).toBe(200)
    const foreign = await makeTariff(api, { organiseId: fixture.swift.id })
    expect((await api.call(agent.token, consumptionStandard.read, { params: { id: foreign.id } })).status).toBe(404)
    const draft = await makeTariff(api, { organiseId: green.id, draft: true })
    expect((await read(draft.id, agent.token)).draft).toBeNull()
  })
})
