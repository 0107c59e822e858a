import { completedOrder, completedOrderList } from '@wattdeck/contract/order/completed-order.ts'
import { orderReview, orderReviewList } from '@wattdeck/contract/order/order-review.ts'
import { unfinishedOrder, unfinishedOrderList } from '@wattdeck/contract/order/unfinished-order.ts'
import { expect, it } from 'vitest'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { chargingOrder, orderInReview, orderMenus } from '../../../../test/fixtures/orders.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture, makePerson } from '../../../../test/harness/people.ts'
import { sheetOf, titlesOf } from '../../../../test/fixtures/export-sheet.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const operator = await makePerson(api, {
  organiseId: fixture.green.id,
  loginName: 'green_sheets',
  menus: [...orderMenus, '1', '1.1', '1.1.5'],
})

const masked = (phone: string) => `${phone.slice(0, 3)}****${phone.slice(-4)}`

it('exports orders as their lists show them: the payer masked in one cell, figures and codes as text', async () => {
  const open = await chargingOrder(api, operator.token, fixture.green, models)
  const [row] = await sheetOf(
    api,
    operator.token,
    unfinishedOrder.exportList,
    titlesOf(unfinishedOrderList),
    `orderNo=${open.id}`,
  )
  expect(row).toMatchObject({
    订单号: open.id,
    状态: '充电中',
    异常标记: '离线',
    '当前功率（W）': '500',
    '峰值功率（W）': '520',
    充电时长: '1小时',
    '电量（kWh）': 0.5,
    预付金额: 3,
    启动方式: '远程',
    结束原因: null,
  })
  expect(row?.['用户']).toMatch(/^会\*+ /)
  expect(row?.['用户']).toContain(masked(open.phone))

  await api.call(operator.token, unfinishedOrder.settle, { body: { id: open.id, total: '0.51', reason: '设备失联' } })
  expect(
    await sheetOf(api, operator.token, completedOrder.exportList, titlesOf(completedOrderList), `orderNo=${open.id}`),
  ).toMatchObject([{ 状态: '已完成', 应收: 0.51, '电量（kWh）': 0.5, 退款: 0 }])
})

it('exports an order whose bills contradict with its rivals, and its reasons as text', async () => {
  const other = await chargingOrder(api, operator.token, fixture.green, models)
  await api.call(operator.token, unfinishedOrder.settle, { body: { id: other.id, total: '0.51', reason: '设备失联' } })
  const { id } = await orderInReview(api, operator.token, fixture.green, models, 'contradicts')
  await api.sql(
    `update charging_order set device_id = same.device_id, wire_no = same.wire_no
     from charging_order same where charging_order.id = $1 and same.id = $2`,
    [other.id, id],
  )
  const { data } = await api.call(operator.token, orderReview.list, { query: { reason: 'contradicts' } as never })
  expect(data.rows).toMatchObject([
    { id, held: '3.00', rivals: [{ id: other.id, status: 3, energyDwh: 5000, total: '0.51' }] },
  ])
  expect(
    await sheetOf(api, operator.token, orderReview.exportList, titlesOf(orderReviewList), `orderNo=${id}`),
  ).toMatchObject([{ 复核原因: '同一次充电有不同账单', 预付金额: 3, 结束原因: '充满自停', '电量（kWh）': 0.9 }])
})
