import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openCoupon } from '@wattdeck/contract/open/open-coupon.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { makeStation } from '../../../test/fixtures/charging.ts'
import { type CouponValue, makeCoupon } from '../../../test/fixtures/coupons.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { startObedientDevices } from '../../../test/fixtures/obedient-devices.ts'
import { makeRefunder } from '../../../test/fixtures/refunds.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeFixture } from '../../../test/harness/people.ts'

const api = await startApi()
const { green, swift } = await makeFixture(api)
const models = await makeModels(api)
const devices = await startObedientDevices(api, green, models)
const { client, refusing, person, start, ended, balances, bill, charging, columns, moved, breaks } = devices
afterAll(() => devices.stop())

const claim = (memberId: string, id: string) => client.call(openCoupon.claim, { body: { memberId, id } as never })
const held = (memberId: string, at: object = {}) =>
  client.call(openCoupon.list, { query: { memberId, ...at } as never })
/** A member with a coupon. */
async function holder(value: CouponValue = {}, paidFen = 1000n) {
  const member = await person(paidFen)
  const couponId = await makeCoupon(api, { organiseId: green.id }, value)
  const { couponId: grantId } = await claim(member.memberId, couponId)
  return { ...member, couponId, grantId }
}
const stateOf = async (grantId: string) =>
  (
    await api.sql<{ status: number; off: number | null; order: string | null }>(
      'select status, off_fen as off, order_id as "order" from coupon_grant where id = $1',
      [grantId],
    )
  )[0]

describe('a coupon', () => {
  it('is held by the start, lowers the bill, is used up, and its funder pays the site', async () => {
    const { memberId, grantId } = await holder({ offFen: 20 })
    const { deviceId, orderNo } = await charging(memberId)
    expect(await stateOf(grantId)).toEqual({ status: 2, off: null, order: orderNo })
    expect(await held(memberId)).toMatchObject([{ applies: false, why: '正用于进行中的充电' }])
    await bill(deviceId, orderNo)
    const done = await ended(orderNo, 3)
    expect(done).toMatchObject({ total: '0.31', discount: '0.20' })
    expect(done.explanation.join('\n')).toContain('优惠券「测试券」优惠 0.20 元（机构承担）')
    expect(await stateOf(grantId)).toEqual({ status: 3, off: 20, order: orderNo })
    expect(await columns(orderNo)).toEqual({ total: 31, paid: 31, discount: 0, coupon: 20, pass: 0, subsidy: 20 })
    expect(await moved(orderNo)).toEqual({ 21: 19, 22: 12, 24: 20, 64: -20 })
    expect(await held(memberId)).toEqual([])
    expect(await breaks()).toEqual([])
  })

  it.each<[string, CouponValue, string]>([
    ['满减 below its threshold', { offFen: 20, fromFen: 100 }, '0.51'],
    ['满减 at its threshold', { offFen: 20, fromFen: 51 }, '0.31'],
    ['折扣', { kind: 2, offBp: 5000, maxFen: 1000 }, '0.25'],
    ['折扣 up to its limit', { kind: 2, offBp: 5000, maxFen: 10 }, '0.41'],
    ['折扣 on the service fee', { kind: 2, offBp: 5000, maxFen: 1000, scope: 2 }, '0.41'],
    ['时长', { kind: 3, freeMinutes: 30 }, '0.25'],
    ['电量', { kind: 4, freeDwh: 1000 }, '0.41'],
    ['免单', { kind: 5, maxFen: 1000 }, '0.00'],
    ['免单 up to its limit', { kind: 5, maxFen: 40 }, '0.11'],
  ])('of the kind %s', async (_, value, total) => {
    const { memberId } = await holder(value)
    const { deviceId, orderNo } = await charging(memberId)
    await bill(deviceId, orderNo)
    expect((await ended(orderNo, 3)).total).toBe(total)
    expect(await breaks()).toEqual([])
  })

  it('is used by at most one of two simultaneous charges', async () => {
    const { memberId, grantId } = await holder({ kind: 5, maxFen: 5000 }, 10_000n)
    const stations = await Promise.all([1, 2, 3, 4].map(() => makeStation(api, green, models)))
    const started = await Promise.all(stations.map(({ deviceNo }) => start(memberId, deviceNo)))
    expect(started).toHaveLength(4)
    const orders = await api.sql<{ id: string }>(
      `select id from charging_order where member_id = $1 and benefits::text like '%"coupon/%'`,
      [memberId],
    )
    expect(orders).toHaveLength(1)
    expect(await stateOf(grantId)).toMatchObject({ status: 2, order: orders[0]?.id })
  })

  it('comes back when the device refuses and when it lowered nothing', async () => {
    const { memberId, grantId } = await holder({ offFen: 20, fromFen: 100 })
    const station = await makeStation(api, green, models)
    refusing.add(station.deviceId)
    await ended((await start(memberId, station.deviceNo)).orderNo, 4)
    expect(await stateOf(grantId)).toEqual({ status: 1, off: null, order: null })
    const { deviceId, orderNo } = await charging(memberId)
    expect(await stateOf(grantId)).toMatchObject({ status: 2 })
    await bill(deviceId, orderNo)
    const done = await ended(orderNo, 3)
    expect(done.explanation.join('\n')).toContain('优惠券「测试券」未使用：')
    expect(await stateOf(grantId)).toEqual({ status: 1, off: null, order: null })
  })

  it('is chosen by the member, or left out', async () => {
    const member = await person(1000n)
    const ids = []
    for (const offFen of [10, 30]) {
      const couponId = await makeCoupon(api, { organiseId: green.id }, { offFen })
      ids.push((await claim(member.memberId, couponId)).couponId)
    }
    const cases = [
      ['0', '0.51'],
      [ids[0], '0.41'],
      [undefined, '0.21'],
    ] as const
    for (const [couponId, total] of cases) {
      const { deviceId, orderNo } = await charging(member.memberId, { limitBy: '1', amount: '3.00', couponId })
      await bill(deviceId, orderNo)
      expect((await ended(orderNo, 3)).total).toBe(total)
    }
    // Used ones and those of others are unknown.
    const other = await holder()
    const { deviceNo } = await makeStation(api, green, models)
    for (const couponId of [ids[0], other.grantId])
      await expect(start(member.memberId, deviceNo, { limitBy: '1', amount: '3.00', couponId })).rejects.toMatchObject({
        status: 404,
      })
  })

  it('applies at its place and until its last day, and the member is told why not', async () => {
    const { memberId, grantId } = await holder()
    const station = await makeStation(api, green, models)
    const at = { deviceNo: station.deviceNo, portNo: '1' }
    expect(await held(memberId, at)).toMatchObject([{ applies: true, why: null, worth: '无门槛减 1.00 元' }])
    await api.sql('update coupon_grant set site_id = $2 where id = $1', [grantId, swift.siteId])
    expect(await held(memberId, at)).toMatchObject([{ applies: false, why: '不适用于该站点' }])
    const away = await charging(memberId)
    await bill(away.deviceId, away.orderNo)
    expect((await ended(away.orderNo, 3)).total).toBe('0.51')
    await api.sql(
      `update coupon_grant set site_id = null, valid_from = '2026-01-01', valid_until = (now() at time zone 'Asia/Shanghai')::date - 1 where id = $1`,
      [grantId],
    )
    expect(await held(memberId, at)).toEqual([])
    const { text } = await client.call(openCharging.estimate, {
      body: { memberId, deviceNo: station.deviceNo, portNo: '1', limitBy: '4' } as never,
    })
    expect(text.join('')).not.toContain('优惠券')
  })

  it('comes back with the full refund of its order, and not with a part', async () => {
    const [asker, decider] = [
      await makeRefunder(api, green.id, 'coupon1'),
      await makeRefunder(api, green.id, 'coupon2'),
    ]
    const { memberId, grantId } = await holder({ offFen: 20 })
    const { deviceId, orderNo } = await charging(memberId)
    await bill(deviceId, orderNo)
    await ended(orderNo, 3)
    const refund = async (amount: string) => {
      const { data } = await api.call(asker.token, refundOrder.add, {
        body: { orderNo, amount, way: '1', reason: '不满意' } as never,
      })
      await api.call(decider.token, refundOrder.approve, { body: { id: data.id } as never })
    }
    await refund('0.10')
    expect(await stateOf(grantId)).toMatchObject({ status: 3 })
    await refund('0.21')
    expect(await stateOf(grantId)).toEqual({ status: 1, off: null, order: null })
    expect(await moved(orderNo)).toEqual({})
    expect(await balances(memberId)).toMatchObject({ balance: '10.00' })
    expect(await breaks()).toEqual([])
  })
})

describe('a budget', () => {
  it('is never exceeded by 200 claims at the same moment', async () => {
    const couponId = await makeCoupon(api, { organiseId: green.id }, { total: 37 })
    const people = await Promise.all(Array.from({ length: 200 }, () => person(0n)))
    const results = await Promise.allSettled(people.map(({ memberId }) => claim(memberId, couponId)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(37)
    const [row] = await api.sql(
      'select granted, (select count(*)::int from coupon_grant where coupon_id = $1) as held from coupon where id = $1',
      [couponId],
    )
    expect(row).toEqual({ granted: 37, held: 37 })
  })

  it('gives a member no more than allowed, also at the same moment, and nothing without a phone', async () => {
    const couponId = await makeCoupon(api, { organiseId: green.id }, { perMember: 2 })
    const { memberId } = await person(0n)
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => claim(memberId, couponId)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(claim(memberId, couponId)).rejects.toMatchObject({ status: 409, message: '您已领取过该优惠券' })
    const nameless = await person(0n)
    await api.sql('update member set phone = null where id = $1', [nameless.memberId])
    await expect(claim(nameless.memberId, couponId)).rejects.toMatchObject({ message: '请先绑定手机号' })
  })

  it('is offered and given only by its own organisation, while it is open to claims', async () => {
    const { memberId } = await person(0n)
    const cases: [string, () => Promise<string>][] = [
      ['foreign', () => makeCoupon(api, { organiseId: swift.id })],
      ['waiting', () => makeCoupon(api, { organiseId: green.id }, { status: 1 })],
      ['by staff only', () => makeCoupon(api, { organiseId: green.id }, { claimable: false })],
      ['of an agent', () => makeCoupon(api, { organiseId: green.id, agentId: green.subAgentId })],
    ]
    for (const [what, make] of cases) {
      const id = await make()
      const offered = await client.call(openCoupon.claimable, { query: { memberId } as never })
      expect(
        offered.map((one) => one.id),
        what,
      ).not.toContain(id)
      await expect(claim(memberId, id), what).rejects.toMatchObject({ status: expect.any(Number) as number })
    }
    const open = await makeCoupon(api, { organiseId: green.id })
    const offered = await client.call(openCoupon.claimable, { query: { memberId } as never })
    expect(offered).toContainEqual(expect.objectContaining({ id: open, worth: '无门槛减 1.00 元', left: 100 }))
  })
})
