import { chargingOrder as detail } from '@wattdeck/contract/order/charging-order.ts'
import { orderReview } from '@wattdeck/contract/order/order-review.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { chargingOrder, orderInReview, orderMenus } from '../../../../test/fixtures/orders.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

let operator: Actor
let agent: Actor
let viewer: Actor
/** The member whose money stays reserved for an order without a payer. */
let formerPayerId = ''
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
beforeAll(async () => {
  const { id: organiseId, agentId } = fixture.green
  operator = await makePerson(api, { organiseId, loginName: 'green_review', menus: orderMenus })
  agent = await makePerson(api, { organiseId, agentId, loginName: 'green_agent_review', menus: orderMenus })
  viewer = await makePerson(api, { organiseId, loginName: 'green_looks', menus: orderMenus, actions: false })
})

const balancesOf = async (memberId: string) => {
  const rows = await api.sql<{ kind: number; fen: string }>(
    'select kind, balance_fen as fen from account where owner_id = $1 and kind in (1, 3) order by kind',
    [memberId],
  )
  return rows.map(({ fen }) => Number(fen))
}
const read = async (id: string) => (await api.call(operator.token, detail.read, { params: { id } })).data
const settle = (id: string, total: string, token = operator.token) =>
  api.call(token, unfinishedOrder.settle, { body: { id, total, reason: '设备失联超过一天' } })
const preview = (id: string, token = operator.token) => api.call(token, unfinishedOrder.preview, { params: { id } })

describe('a forced settlement', () => {
  it('bills exactly the previewed amount, for an agent and for the organisation, and only once', async () => {
    for (const who of [operator, agent]) {
      const { id, memberId } = await chargingOrder(api, operator.token, fixture.green, models)
      const { data } = await preview(id, who.token)
      expect(data).toMatchObject({ total: '0.51', returned: '2.49', durationS: 3600, energyDwh: 5000 })
      expect(data.explanation.join()).toContain('0.51')
      expect((await settle(id, data.total, who.token)).status).toBe(200)
      expect(await read(id)).toMatchObject({
        status: 3,
        total: data.total,
        electricity: data.electricity,
        explanation: data.explanation,
        decision: '设备失联超过一天',
        decidedBy: `姓名${who.loginName}`,
      })
      expect(await balancesOf(memberId)).toEqual([949, 0])
      expect((await settle(id, data.total, who.token)).status).toBe(409)
      expect(await balancesOf(memberId)).toEqual([949, 0])
    }
  })

  it('must be confirmed again after the device has reported', async () => {
    const { id, memberId } = await chargingOrder(api, operator.token, fixture.green, models)
    const { data } = await preview(id)
    await api.sql('update open_charge set energy_dwh = 6000 where order_id = $1', [id])
    expect(await settle(id, data.total)).toMatchObject({ status: 409, message: '金额已变为0.61元，请重新确认' })
    expect(await balancesOf(memberId)).toEqual([700, 300])
    expect((await settle(id, '0.61')).status).toBe(200)
  })

  it('is refused while the device reports, and to a user who may only read', async () => {
    const { id, deviceId } = await chargingOrder(api, operator.token, fixture.green, models)
    expect((await preview(id, viewer.token)).status).toBe(403)
    await api.sql('update device set online = true where id = $1', [deviceId])
    await api.sql('update open_charge set reported_at = now() where order_id = $1', [id])
    expect(await settle(id, '0.51')).toMatchObject({ status: 409, message: '设备在线并正在上报，请先远程停止' })
  })

  it('bills nothing where the device has never reported', async () => {
    const { id, memberId } = await chargingOrder(api, operator.token, fixture.green, models)
    await api.sql(
      'update open_charge set reported_at = null, energy_dwh = null, duration_s = null, peak_power_dw = null where order_id = $1',
      [id],
    )
    expect((await preview(id)).data).toMatchObject({ reportedAt: null, total: '0.00', returned: '3.00' })
    expect((await settle(id, '0.00')).status).toBe(200)
    expect(await balancesOf(memberId)).toEqual([1000, 0])
  })
})

describe('an open order', () => {
  it('is marked with its problems, and is stopped only where its device is online', async () => {
    const { id, deviceId } = await chargingOrder(api, operator.token, fixture.green, models)
    const [row] = (await api.call(operator.token, unfinishedOrder.list, { query: { orderNo: id } as never })).data.rows
    expect(row).toMatchObject({ marks: ['offline'], powerDw: 5000, durationS: 3600, energyDwh: 5000, held: '3.00' })
    expect(row?.expectedEndAt).not.toBeNull()
    const marked = async (mark: string) =>
      (await api.call(operator.token, unfinishedOrder.list, { query: { orderNo: id, mark } as never })).data.rows.length
    expect([await marked('offline'), await marked('noBill'), await marked('overdue')]).toEqual([1, 0, 0])
    const stop = () => api.call(operator.token, unfinishedOrder.stop, { body: { id } })
    expect(await stop()).toMatchObject({ status: 409, message: '设备离线，指令无法送达' })
    await api.sql('update device set online = true where id = $1', [deviceId])
    expect([await marked('offline'), await marked('noBill')]).toEqual([0, 1])
    expect((await stop()).status).toBe(200)
    expect((await api.call(operator.token, unfinishedOrder.query, { body: { id } })).status).toBe(200)
    const { data: commands } = await api.call(operator.token, detail.commands, { params: { id } })
    expect(commands.map(({ kind }) => kind)).toEqual(['query', 'stopPort', 'startPort'])
  })
})

const options = async (id: string) => (await api.call(operator.token, orderReview.options, { params: { id } })).data
const decide = (id: string, choice: string, total: string, token = operator.token) =>
  api.call(token, orderReview.decide, { body: { id, choice, total, reason: '已电话核实' } as never })

describe('an order in review', () => {
  it('offers the options that the server computed, each with its amount, and bills the one shown', async () => {
    const { id, memberId } = await orderInReview(api, operator.token, fixture.green, models)
    const shown = await options(id)
    expect(shown.map(({ choice, total, returned, problem }) => [choice, total, returned, problem])).toEqual([
      ['device', '0.92', '2.08', null],
      ['sample', '0.51', '2.49', null],
      ['release', '0.00', '3.00', null],
    ])
    expect(await decide(id, 'device', '0.51')).toMatchObject({ status: 409, message: '金额已变为0.92元，请重新确认' })
    expect((await decide(id, 'sample', '0.51', agent.token)).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 3, total: '0.51', energyDwh: 5000, decision: '已电话核实' })
    expect(await balancesOf(memberId)).toEqual([949, 0])
  })

  it('is released in full where nothing is billed', async () => {
    const { id, memberId } = await orderInReview(api, operator.token, fixture.green, models)
    expect((await decide(id, 'release', '0.00')).status).toBe(200)
    expect(await read(id)).toMatchObject({
      status: 4,
      total: '0.00',
      stopReason: '充满自停',
      decidedBy: '姓名green_review',
    })
    expect(await balancesOf(memberId)).toEqual([1000, 0])
  })

  it('is decided once by two users at the same moment', async () => {
    const { id, memberId } = await orderInReview(api, operator.token, fixture.green, models)
    const both = await Promise.all([decide(id, 'device', '0.92'), decide(id, 'release', '0.00', agent.token)])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    const total = Number((await read(id)).total) * 100
    expect(await balancesOf(memberId)).toEqual([1000 - Math.round(total), 0])
  })

  it('is paid from the wallet again after its money was released, as far as the balance allows', async () => {
    const late = async (leftFen: number) => {
      const order = await orderInReview(api, operator.token, fixture.green, models, 'late')
      const [place] = await api.sql<{ organise_id: string; site_id: string; at: string }>(
        `update charging_order set held_paid_fen = 0 where id = $1 returning organise_id, site_id, app.message_time(id)::text as at`,
        [order.id],
      )
      const give = (name: string, kind: number, lines: unknown[]) => ({
        key: name,
        keyAt: new Date().toISOString(),
        organiseId: place?.organise_id,
        agentId: null,
        siteId: null,
        kind,
        ref: order.id,
        memo: null,
        by: null,
        lines,
      })
      await api.sql('select app.post($1::jsonb)', [
        JSON.stringify([
          give(`back/${order.id}`, 4, [
            [3, order.memberId, '-300'],
            [1, order.memberId, '300'],
          ]),
          give(`spent/${order.id}`, 7, [
            [1, order.memberId, String(leftFen - 1000)],
            [62, 0, String(1000 - leftFen)],
          ]),
        ]),
      ])
      return order
    }
    const rich = await late(500)
    expect((await options(rich.id))[0]).toMatchObject({ total: '0.92', newHold: true })
    expect((await decide(rich.id, 'device', '0.92')).status).toBe(200)
    expect(await balancesOf(rich.memberId)).toEqual([408, 0])
    const poor = await late(40)
    expect((await options(poor.id))[0]).toMatchObject({ total: '0.40', newHold: true })
    expect((await decide(poor.id, 'device', '0.40')).status).toBe(200)
    expect(await balancesOf(poor.memberId)).toEqual([0, 0])
    const kinds = (await api.call(operator.token, detail.postings, { params: { id: rich.id } })).data.map(
      ({ kind }) => kind,
    )
    expect(kinds).toEqual([3, 4, 7, 3, 5])
  })

  it('without a payer can only be released, and is found by its reason', async () => {
    const { id, memberId } = await orderInReview(api, operator.token, fixture.green, models, 'noPayer')
    formerPayerId = memberId
    await api.sql(`update charging_order set member_id = null, held_paid_fen = 0, held_gift_fen = 0 where id = $1`, [
      id,
    ])
    const shown = await options(id)
    expect(shown.map(({ problem }) => problem)).toEqual(['没有付款人', '没有付款人', null])
    expect(await decide(id, 'device', '0.92')).toMatchObject({ status: 409 })
    const found = async (reason: string) =>
      (await api.call(operator.token, orderReview.list, { query: { orderNo: id, reason } as never })).data.rows.length
    expect([await found('noPayer'), await found('late')]).toEqual([1, 0])
  })
})

describe('the ledger', () => {
  it('is consistent after the tests above', async () => {
    expect(await api.sql('select * from app.ledger_breaks()')).toEqual([])
  })

  it('is compared with the orders: money reserved for none of them, and a bill above the booked amount', async () => {
    const orderBreaks = () =>
      api.sql<{ what: string; ref: string }>('select what, ref from app.order_breaks() order by 1')
    // The order without a payer, above: its money is still reserved.
    expect(await orderBreaks()).toEqual([{ what: 'held', ref: `member ${formerPayerId}` }])
    const [billed] = await api.sql<{ id: string }>(
      `update charging_order set electricity_fen = electricity_fen + 1, total_fen = total_fen + 1, paid_fen = paid_fen + 1
       where id = (select min(id) from charging_order where status = 3 and paid_fen < held_paid_fen) returning id`,
    )
    expect(await orderBreaks()).toEqual([
      { what: 'bill', ref: billed?.id },
      { what: 'held', ref: `member ${formerPayerId}` },
    ])
  })
})
