import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { makeStation } from '../../../test/fixtures/charging.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { startObedientDevices } from '../../../test/fixtures/obedient-devices.ts'
import { makeRefunder } from '../../../test/fixtures/refunds.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const { green, swift } = fixture
const models = await makeModels(api)
const devices = await startObedientDevices(api, green, models)
const { client, voice, refusing, person, start, read, ended, balances, bill, charging, columns, moved, breaks } =
  devices
afterAll(() => devices.stop())

/** Days of the whitelist are days in Shanghai. */
const today = "(now() at time zone 'Asia/Shanghai')::date"
const rules = { free: 0, discount: 1, reduction: 2, fixed: 3, freeTimes: 4 } as const
type Terms = {
  rule?: number
  value?: number
  times?: number
  funder?: number
  scope?: number
  dayTimes?: number
  organiseId?: string
}
/** A valid entry of the whitelist. `value`: basis points, fen, or 1/10000 kWh, as the rule demands. */
async function whitelisted(phone: string, terms: Terms = {}) {
  const { rule = rules.discount, value = 2000, times = null, funder = 2, scope = 1, dayTimes = 5 } = terms
  const [row] = await api.sql<{ id: string }>(
    `insert into whitelist_entry (organise_id, agent_id, name, phone, rule, off_bp, off_fen, pay_fen, free_dwh, times, day_times, scope, funder, starts_on, ends_on,
       status, created_by_id, created_by, decided_by_id, decided_by, decided_at)
     values ($1, $2, '王', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, ${today} - 1, ${today} + 1, 2, 1, '甲', 2, '乙', now()) returning id`,
    [
      terms.organiseId ?? green.id,
      funder === 3 ? green.subAgentId : null,
      phone,
      rule,
      rule === rules.discount ? value : null,
      rule === rules.reduction ? value : null,
      rule === rules.fixed ? value : null,
      rule === rules.free || rule === rules.freeTimes ? value : null,
      times,
      dayTimes,
      scope,
      funder,
    ],
  )
  return row?.id ?? ''
}

const full = { limitBy: '4' }
const reasons = async (orderNo: string) =>
  (
    await api.sql<{ why: string[] | null }>('select review_reasons as why from charging_order where id = $1', [orderNo])
  )[0]?.why

describe('a member with a price of their own', () => {
  it('pays less, the site receives the difference from the funder, and the bill says so', async () => {
    const { memberId, phone } = await person(1000n)
    await whitelisted(phone)
    const { deviceId, orderNo, held } = await charging(memberId)
    expect(held).toBe('3.00')
    await bill(deviceId, orderNo)
    // 0.51 without the discount, 20 % of it is 0.10.
    const done = await ended(orderNo, 3)
    expect(done).toMatchObject({ electricity: '0.25', service: '0.16', total: '0.41', discount: '0.10' })
    expect(done.explanation.slice(-2)).toEqual([
      '会员价「白名单折扣」优惠 0.10 元（机构承担）',
      '原价 0.51 元，优惠 0.10 元，应付 0.41 元：电费 0.25 元，服务费 0.16 元',
    ])
    expect(await balances(memberId)).toMatchObject({ balance: '9.59', held: '0.00' })
    expect(await columns(orderNo)).toEqual({ total: 41, paid: 41, discount: 10, coupon: 0, pass: 0, subsidy: 10 })
    expect(await moved(orderNo)).toEqual({ 21: 25, 22: 16, 24: 10, 64: -10 })
    expect(await breaks()).toEqual([])
  })

  it.each([
    ['the agent bears it', { funder: 3 }, { 21: 25, 22: 16, 24: 10, 65: -10 }, 10],
    ['the site bears it', { funder: 4 }, { 21: 25, 22: 16 }, 0],
    ['only the service fee falls', { scope: 2, funder: 4, value: 5000 }, { 21: 31, 22: 10 }, 0],
    ['it costs a fixed price', { rule: rules.fixed, value: 30, funder: 4 }, { 21: 18, 22: 12 }, 0],
    ['an amount is taken off', { rule: rules.reduction, value: 500, funder: 4 }, {}, 0],
  ])('pays by the rule: %s', async (_, wish, postings, subsidy) => {
    const { memberId, phone } = await person(1000n)
    await whitelisted(phone, wish)
    const { deviceId, orderNo } = await charging(memberId)
    await bill(deviceId, orderNo)
    const done = await ended(orderNo, 3)
    expect(await moved(orderNo)).toEqual(postings)
    expect(await columns(orderNo)).toMatchObject({ subsidy })
    const { paid } = (await columns(orderNo)) as { paid: number }
    expect(done.total).toBe((paid / 100).toFixed(2))
    expect(await breaks()).toEqual([])
  })

  it('is found by phone and only in the own organisation, within the days, while valid', async () => {
    const cases: [string, (id: string) => Promise<unknown>][] = [
      ['ended', (id) => api.sql(`update whitelist_entry set ends_on = ${today} - 1 where id = $1`, [id])],
      ['begins later', (id) => api.sql(`update whitelist_entry set starts_on = ${today} + 1 where id = $1`, [id])],
      ['stopped', (id) => api.sql('update whitelist_entry set status = 4 where id = $1', [id])],
      ['waiting', (id) => api.sql('update whitelist_entry set status = 1 where id = $1', [id])],
      ['of another site', (id) => api.sql('update whitelist_entry set site_id = $2 where id = $1', [id, swift.siteId])],
      [
        'of another agent',
        (id) => api.sql('update whitelist_entry set agent_id = $2 where id = $1', [id, swift.agentId]),
      ],
    ]
    for (const [what, change] of cases) {
      const { memberId, phone } = await person(1000n)
      await change(await whitelisted(phone))
      const { deviceId, orderNo } = await charging(memberId)
      await bill(deviceId, orderNo)
      expect((await ended(orderNo, 3)).total, what).toBe('0.51')
    }
    const { memberId, phone } = await person(1000n)
    await whitelisted(phone, { organiseId: swift.id })
    const { deviceId, orderNo } = await charging(memberId)
    await bill(deviceId, orderNo)
    expect((await ended(orderNo, 3)).total).toBe('0.51')
  })

  it('gets an estimate with the discount, before the start', async () => {
    const { memberId, phone } = await person(1000n)
    await whitelisted(phone, { rule: rules.free, value: 100_000 })
    const { deviceNo } = await makeStation(api, green, models)
    const ask = { deviceNo, portNo: '1', limitBy: '4' } as never
    const [plain, own] = [
      await client.call(openCharging.estimate, { body: ask }),
      await client.call(openCharging.estimate, { body: { ...(ask as object), memberId } as never }),
    ]
    expect(Number(plain.held)).toBeGreaterThan(Number(own.held))
    expect(own.text.at(-1)).toContain('应付 0.00 元')
  })
})

describe('a free charge', () => {
  const free = (energyDwh: number) => ({ rule: rules.free, value: energyDwh })

  it('begins without money, reserves nothing, costs nothing, and needs no review', async () => {
    const { memberId, phone } = await person(0n)
    await whitelisted(phone, free(1_000_000))
    const { deviceId, orderNo, held } = await charging(memberId, full)
    expect(held).toBe('0.00')
    await bill(deviceId, orderNo)
    expect(await ended(orderNo, 3)).toMatchObject({ total: '0.00', discount: '0.51' })
    expect(await reasons(orderNo)).toBeNull()
    expect(await columns(orderNo)).toEqual({ total: 0, paid: 0, discount: 51, coupon: 0, pass: 0, subsidy: 51 })
    expect(await moved(orderNo)).toEqual({ 24: 51, 64: -51 })
    expect(await breaks()).toEqual([])
  })

  it('with a doubtful bill is billed by an operator without touching the wallet', async () => {
    const operator = await makeRefunder(api, green.id, 'discount3')
    const { memberId, phone } = await person(1000n)
    await whitelisted(phone, free(1_000_000))
    const { deviceId, orderNo } = await charging(memberId, full)
    await bill(deviceId, orderNo, { energyWh: 9000 })
    await ended(orderNo, 5)
    const { data: options } = await api.call(operator.token, orderReview.options, { params: { id: orderNo } })
    expect(options[0]).toMatchObject({ choice: 'device', total: '0.00', problem: null, newHold: false })
    const body = { id: orderNo, choice: 'device', total: '0.00', reason: '已电话核实' } as never
    expect((await api.call(operator.token, orderReview.decide, { body })).status).toBe(200)
    expect(await read(orderNo)).toMatchObject({ status: 3, total: '0.00', discount: '9.18' })
    expect(await balances(memberId)).toMatchObject({ balance: '10.00', held: '0.00' })
    expect(await breaks()).toEqual([])
  })

  it('is stopped when the free energy is used up and no money is reserved', async () => {
    const { memberId, phone } = await person(0n)
    await whitelisted(phone, free(4000))
    const { deviceId, orderNo } = await charging(memberId, full)
    const stopOf = async () =>
      (
        await api.sql<{ stop: string | null }>('select stop_command_id as stop from charging_order where id = $1', [
          orderNo,
        ])
      )[0]?.stop
    const report = (energyWh: number) =>
      voice.publish([
        voice.item(deviceId, {
          kind: 'portReport',
          port: 1,
          orderNo,
          status: { name: 'working', raw: 1 },
          powerDw: 5000,
          durationS: 1800,
          energyWh,
        }),
      ])
    await report(400)
    await until(async () =>
      (
        await api.sql('select 1 from open_charge where order_id = $1 and energy_dwh = 4000 and not money_due', [
          orderNo,
        ])
      ).length === 1
        ? true
        : undefined,
    )
    expect(await stopOf()).toBeNull()
    await report(450)
    await until(async () => (await stopOf()) ?? undefined)
    // The rest of the energy is not charged for: nothing was reserved.
    await bill(deviceId, orderNo)
    expect(await ended(orderNo, 3)).toMatchObject({ total: '0.00' })
    expect(await breaks()).toEqual([])
  })

  it('counts its uses: the last one is taken by one of two simultaneous starts, the other pays', async () => {
    const { memberId, phone } = await person(10_000n)
    await whitelisted(phone, { ...free(1_000_000), rule: rules.freeTimes, times: 1 })
    const stations = [await makeStation(api, green, models), await makeStation(api, green, models)]
    const started = await Promise.all(stations.map(({ deviceNo }) => start(memberId, deviceNo)))
    expect(started.map(({ held }) => held).toSorted()).toEqual(['0.00', '3.00'])
    expect(
      await api.sql(
        'select order_id from whitelist_use where entry_id in (select id from whitelist_entry where phone = $1)',
        [phone],
      ),
    ).toHaveLength(1)
  })

  it('is limited by day', async () => {
    const { memberId, phone } = await person(10_000n)
    const entryId = await whitelisted(phone, { ...free(1_000_000), dayTimes: 1 })
    const first = await charging(memberId, full)
    await bill(first.deviceId, first.orderNo)
    await ended(first.orderNo, 3)
    expect((await charging(memberId)).held).toBe('3.00')
    // The day after.
    await api.sql('update whitelist_use set used_on = used_on - 1 where entry_id = $1', [entryId])
    expect((await charging(memberId, full)).held).toBe('0.00')
  })

  it('gives its use back when the device refuses, or when nothing was charged', async () => {
    const { memberId, phone } = await person(0n)
    await whitelisted(phone, { ...free(1_000_000), rule: rules.freeTimes, times: 1 })
    const station = await makeStation(api, green, models)
    refusing.add(station.deviceId)
    const { orderNo } = await start(memberId, station.deviceNo, full)
    await ended(orderNo, 4)
    refusing.delete(station.deviceId)
    const second = await charging(memberId, full)
    await bill(second.deviceId, second.orderNo, { durationS: 0, energyWh: 0 })
    await ended(second.orderNo, 3)
    const third = await charging(memberId, full)
    await bill(third.deviceId, third.orderNo)
    expect(await ended(third.orderNo, 3)).toMatchObject({ discount: '0.51' })
    await expect(start(memberId, (await makeStation(api, green, models)).deviceNo, full)).rejects.toMatchObject({
      status: 409,
      message: '余额不足，请先充值',
    })
  })
})

describe('a refund of a charge with a discount', () => {
  it('returns the funder’s share with each part, and part and rest together undo the whole bill', async () => {
    const [asker, decider] = [
      await makeRefunder(api, green.id, 'discount1'),
      await makeRefunder(api, green.id, 'discount2'),
    ]
    const { memberId, phone } = await person(1000n)
    await whitelisted(phone, { value: 3333 })
    const { deviceId, orderNo } = await charging(memberId)
    await bill(deviceId, orderNo)
    expect(await ended(orderNo, 3)).toMatchObject({ total: '0.34', discount: '0.17' })
    const refund = async (amount: string) => {
      const { data } = await api.call(asker.token, refundOrder.add, {
        body: { orderNo, amount, way: '1', reason: '不满意' } as never,
      })
      await api.call(decider.token, refundOrder.approve, { body: { id: data.id } as never })
    }
    await refund('0.11')
    expect(await moved(orderNo)).toMatchObject({ 24: 12, 64: -12 })
    expect(await breaks()).toEqual([])
    await refund('0.23')
    expect(await moved(orderNo)).toEqual({})
    expect(await balances(memberId)).toMatchObject({ balance: '10.00' })
    expect(await breaks()).toEqual([])
  })
})

describe('the figures', () => {
  it('of a day contain the discounts, before and after they are added up', async () => {
    const sum = async () =>
      (
        await api.sql<{ live: string; own: string }>(
          `select (select sum(discount_fen) from stat_day_live where kind = 0) as live,
             (select sum(discount_fen + coupon_fen + pass_fen) from charging_order where status = 3) as own`,
        )
      )[0]
    const before = await sum()
    expect(Number(before?.own)).toBeGreaterThan(100)
    expect(before?.live).toBe(before?.own)
    await api.sql('select app.fold_stats()')
    expect((await sum())?.live).toBe(before?.own)
    expect(await breaks()).toEqual([])
  })
})
