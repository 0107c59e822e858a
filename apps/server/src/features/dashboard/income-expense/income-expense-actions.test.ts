import { connect } from '@nats-io/transport-node'
import { incomeExpense, incomeExpenseType } from '@wattdeck/contract/dashboard/income-expense.ts'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { offlineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { enterpriseRefund } from '@wattdeck/contract/order/enterprise-refund.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer, makeStation } from '../../../../test/fixtures/charging.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { makeUpload } from '../../../../test/fixtures/offline-recharges.ts'
import * as payments from '../../../../test/fixtures/payments.ts'
import { addPlan } from '../../../../test/fixtures/recharge-plan.ts'
import { refundMenus } from '../../../../test/fixtures/refunds.ts'
import { gatewayPublisher } from '../../../../test/harness/gateway-voice.ts'
import { makeFixture, makePerson } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'

const there = await payments.startPayFixture()
const { api, sandbox } = there
const { green } = await makeFixture(api)
const models = await makeModels(api)
const client = await makeOpenApp(api, green.id)
await payments.makeTrader(there, green.id)
await addPlan(api, { organiseId: green.id }, { tiers: [[100, 15]] })
const menus = [...new Set([...refundMenus, '2', '2.5', '6', '6.1', '6.9', '9', '9.12'])]
const person = (loginName: string) => makePerson(api, { organiseId: green.id, loginName, menus })
const [first, second, third] = [await person('book_1'), await person('book_2'), await person('book_3')]
const worker = await there.startWorker()

/** A device that obeys every command. */
const bus = await connect({ servers: api.config.natsUrl })
const gateway = 9
const voice = gatewayPublisher(bus, api.config.prefix, gateway)
const subscription = bus.subscribe(deviceBus.down(api.config.prefix, gateway))
void (async () => {
  for await (const message of subscription) {
    const { items } = message.json<DownEnvelope>()
    message.respond(JSON.stringify({ absent: [] }))
    await voice.publish(
      items.map(({ id, d }) => voice.item(d, { kind: 'commandResult', commandId: id, ok: true, carriedOut: true })),
    )
  }
})()
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

const types = incomeExpenseType
/** Label, signed amount and object of the rows of a reference, oldest first. */
async function booked(ref: string) {
  const { rows } = (await api.call(first.token, incomeExpense.list, { query: { pageSize: 500 } as never })).data
  return rows
    .filter((row) => row.ref === ref)
    .map((row) => [
      types.show(row.type).label,
      row.direction === 1 ? row.amount : `-${row.amount}`,
      row.objectKind,
      row.objectId,
    ])
    .toReversed()
}
const serialNo = (id: string) => `XC${id.padStart(8, '0')}`

/** A bill of 0.51 less a fifth, borne by the organisation (2) or the agent (3). */
async function discountedCharge(funder: 2 | 3): Promise<string> {
  const memberId = await makePayer(api, green.id, 1000n)
  const phone = `137${String(Number(memberId)).padStart(8, '0').slice(-8)}`
  await api.sql('update member set phone = $2 where id = $1', [memberId, phone])
  await api.sql(
    `insert into whitelist_entry (organise_id, agent_id, name, phone, rule, off_bp, day_times, scope, funder, starts_on, ends_on, status,
       created_by_id, created_by, decided_by_id, decided_by, decided_at)
     values ($1, $2, '王', $3, 1, 2000, 5, 1, $4, '2020-01-01', '2099-01-01', 2, 1, '甲', 2, '乙', now())`,
    [green.id, funder === 3 ? green.subAgentId : null, phone, funder],
  )
  const { deviceId, deviceNo } = await makeStation(api, green, models)
  const { orderNo } = await client.call(openCharging.start, {
    body: { memberId, deviceNo, portNo: '1', limitBy: '1', amount: '3.00' } as never,
  })
  const inState = (status: number) =>
    until(async () =>
      (await client.call(openCharging.order, { params: { orderNo } })).status === status ? true : undefined,
    )
  await inState(2)
  await api.sql("update charging_order set started_at = now() - interval '1 hour' where id = $1", [orderNo])
  await voice.publish([
    voice.item(
      deviceId,
      {
        kind: 'settlement',
        port: 1,
        orderNo,
        durationS: 3600,
        energyWh: 500,
        maxPowerDw: 5200,
        stopReason: { name: 'full', raw: 1 },
      },
      { r: { key: `bill:${orderNo}`, at: Math.floor(Date.now() / 1000) } },
    ),
  ])
  await inState(3)
  return orderNo
}

describe('the account book', () => {
  it('has the income of a charge, what others bear of it, and what a refund returns', async () => {
    for (const funder of [2, 3] as const) {
      const orderNo = await discountedCharge(funder)
      const bill = [
        ['充电电费', '0.25', 'order', orderNo],
        ['充电服务费', '0.16', 'order', orderNo],
        ['优惠补贴', '0.10', 'order', orderNo],
        ['承担优惠', '-0.10', 'order', orderNo],
      ]
      expect(await booked(orderNo)).toEqual(bill)
      const { data } = await api.call(first.token, refundOrder.add, {
        body: { orderNo, amount: '0.41', way: '1', reason: '不满意' } as never,
      })
      expect((await api.call(second.token, refundOrder.approve, { body: { id: data.id } as never })).status).toBe(200)
      expect((await booked(orderNo)).slice(4)).toEqual([
        ['充电退款', '-0.25', 'order', orderNo],
        ['充电退款', '-0.16', 'order', orderNo],
        ['补贴退回', '-0.10', 'order', orderNo],
        ['优惠退回', '0.10', 'order', orderNo],
      ])
      const { rows } = (await api.call(first.token, incomeExpense.list)).data
      expect(rows.find((row) => row.ref === orderNo && row.type === types.code.chargeRefund)?.remark).toBe(
        `退款单${data.id}`,
      )
    }
  })

  it('has a recharge with its gift and its fee, and its refund by the way it came', async () => {
    const memberId = await makePayer(api, green.id, 0n)
    const rechargeNo = await payments.requestRecharge(client, memberId, '100.00')
    sandbox.pay({ codeUrl: await payments.codeOf(client, rechargeNo) })
    await payments.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    const [pay] = await api.sql<{ id: string }>('select pay_order_id as id from recharge_order where id = $1', [
      rechargeNo,
    ])
    const payId = pay?.id ?? ''
    expect(await booked(`P${payId}`)).toEqual([
      ['充值赠送', '-15.00', 'payment', payId],
      ['线上收款', '100.00', 'payment', payId],
      ['线上退款及扣费', '-0.60', 'payment', payId],
      ['渠道手续费', '-0.60', 'payment', payId],
    ])
    const { data } = await api.call(first.token, rechargeRefund.add, {
      body: { rechargeNo, amount: '100.00', reason: '不再使用' } as never,
    })
    await api.call(second.token, rechargeRefund.audit, { body: { id: data.id } })
    expect((await api.call(third.token, rechargeRefund.approve, { body: { id: data.id } })).status).toBe(200)
    expect(await booked(data.id)).toEqual([['赠送收回', '15.00', 'recharge', rechargeNo]])
    const arrived = await until(async () => {
      const [refund] = await api.sql<{ id: string }>('select id from pay_refund where ref_id = $1 and status = 3', [
        data.id,
      ])
      return refund?.id
    })
    expect(await booked(`R${arrived}`)).toEqual([['线上退款及扣费', '-100.00', 'payment', payId]])
  })

  it('has cash of the desk, and money that a company gets back by bank', async () => {
    const memberId = await makePayer(api, green.id, 0n)
    const { data: cash } = await api.call(first.token, offlineRecharge.add, {
      body: { memberId, amount: '50.00', way: 1 } as never,
    })
    expect(await booked(serialNo(cash.id))).toEqual([])
    expect((await api.call(second.token, offlineRecharge.approve, { body: { id: cash.id } })).status).toBe(200)
    const [recharge] = await api.sql<{ id: string }>('select id from recharge_order where member_id = $1', [memberId])
    expect(await booked(serialNo(cash.id))).toEqual([['线下收款', '50.00', 'recharge', recharge?.id]])

    const { data: back } = await api.call(first.token, enterpriseRefund.add, {
      body: {
        memberId,
        amount: '20.00',
        company: '西湖物流',
        payee: '西湖物流有限公司',
        account: '6222987612345678901',
        bank: '工商银行',
        reason: '合同到期',
      } as never,
    })
    await api.call(second.token, enterpriseRefund.audit, { body: { id: back.id } })
    await api.call(third.token, enterpriseRefund.approve, { body: { id: back.id } })
    expect(await booked(back.id)).toEqual([])
    const pictureId = await makeUpload(api, { id: second.id, organiseId: green.id })
    expect((await api.call(second.token, enterpriseRefund.finish, { body: { id: back.id, pictureId } })).status).toBe(
      200,
    )
    expect(await booked(back.id)).toEqual([['线下退款', '-20.00', null, null]])
  })

  it('has what people adjust of balances, with their reason', async () => {
    const memberId = await makePayer(api, green.id, 5000n)
    for (const [direction, label, amount] of [
      [1, '余额调增', '-12.30'],
      [2, '余额调减', '12.30'],
    ] as const) {
      const { data } = await api.call(first.token, balanceAdjustment.add, {
        body: { memberId, direction, wallet: 1, amount: '12.30', reason: '设备断电补偿' } as never,
      })
      expect((await api.call(second.token, balanceAdjustment.approve, { body: { id: data.id } })).status).toBe(200)
      const ref = `TZ${data.id.padStart(8, '0')}`
      expect(await booked(ref)).toEqual([[label, amount, null, null]])
      const { rows } = (await api.call(first.token, incomeExpense.list)).data
      expect(rows.find((row) => row.ref === ref)?.remark).toBe('设备断电补偿')
    }
  })
})
