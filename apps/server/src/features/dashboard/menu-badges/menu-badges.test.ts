import { menuBadges } from '@wattdeck/contract/dashboard/menu-badges.ts'
import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { expect, it } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeAdjustment, makeMember } from '../../../../test/fixtures/members.ts'
import { orderInReview } from '../../../../test/fixtures/orders.ts'
import { plantPayment } from '../../../../test/fixtures/payment-rows.ts'
import { plantBreak } from '../../../../test/fixtures/recon-rows.ts'
import {
  billedOrder,
  plantEnterpriseRefund,
  plantOrderRefund,
  plantRecharge,
  plantRechargeRefund,
} from '../../../../test/fixtures/refunds.ts'
import { makeCard, makeReplacement } from '../../../../test/fixtures/cards.ts'
import { makeOfflineRecharge } from '../../../../test/fixtures/offline-recharges.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'
import { badgeMenu } from './menu-badges.rules.ts'

const api = await startApi()
const { platform, green, swift } = await makeFixture(api)
const models = await makeModels(api)
const place = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
const workMenus = [
  menuKey.alarmCenter,
  menuKey.repairTicket,
  menuKey.refundOrder,
  menuKey.rechargeRefund,
  menuKey.enterpriseRefund,
  menuKey.balanceAdjustment,
  menuKey.offlineRecharge,
  menuKey.storedCard,
  menuKey.orderReview,
  menuKey.reconciliation,
]

const badges = async ({ token }: Actor) => (await api.call(token, menuBadges.list)).data
const countOf = async (who: Actor, menu: string) => (await badges(who)).find((badge) => badge.menu === menu)?.count

/** The counts of the to-do card by menu. */
async function toDoCounts({ token }: Actor) {
  const { data } = await api.call(token, workTable.toDo)
  const counts = new Map<string, number>()
  for (const { kind, count } of data) {
    const menu = badgeMenu[kind]
    if (menu !== undefined) counts.set(menu, (counts.get(menu) ?? 0) + count)
  }
  return counts
}

const device = await makeDevice(api, { ...place, typeId: models.dny })
const fault = await makeAlarm(api, device, { kind: 2, portNo: 1 })
await makeAlarm(api, device, { kind: 1, portNo: 0 })
await makeAlarm(api, device, { kind: 2, portNo: 2, status: 3 })
await makeTicket(api, device)

it('contains nothing of another organisation, and nothing for a person without task menus', async () => {
  expect(await countOf(green.admin, menuKey.alarmCenter)).toBe(2)
  expect(await countOf(swift.admin, menuKey.alarmCenter)).toBe(0)
  expect(await countOf(swift.admin, menuKey.repairTicket)).toBe(0)
  expect(await badges(green.clerk)).toEqual([])
  expect(await badges(green.withoutRights)).toEqual([])
})

it('contains only menus that the reader holds', async () => {
  const watcher = await makePerson(api, { organiseId: green.id, loginName: 'watches', menus: ['4', '4.1', '4.1.7'] })
  expect(await badges(watcher)).toEqual([{ menu: menuKey.alarmCenter, count: 2, more: false }])
})

it('equals the to-do card of the same reader, for each task menu', async () => {
  const { admin } = green
  const member = await makeMember(api, place)
  const order = await billedOrder(api, green, models, member.id)
  await plantOrderRefund(api, order, admin.id)
  await plantRechargeRefund(api, await plantRecharge(api, green.id, member.id), { makerId: admin.id })
  await plantEnterpriseRefund(api, member.id, { makerId: admin.id })
  await makeAdjustment(api, member, admin.id)
  await makeOfflineRecharge(api, member.id, admin.id)
  await makeReplacement(api, await makeCard(api, { organiseId: green.id, siteId: green.siteId }), admin.id)
  const orderMenus = ['7', '7.2', '7.4', '7.6', '7.16']
  const operator = await makePerson(api, { organiseId: green.id, loginName: 'operates', menus: orderMenus })
  await orderInReview(api, operator.token, green, models)
  const { merchant, payment } = await plantPayment(api, { ...place, memberId: member.id })
  await plantBreak(api, { organiseId: green.id, merchantId: merchant, paymentId: payment, makerId: admin.id })

  const decider = await makePerson(api, {
    organiseId: green.id,
    loginName: 'decides',
    menus: ['2', '2.1', '4', '4.1', '6', '7', '8', '9', ...workMenus],
  })
  for (const reader of [decider, platform.root, green.subAgent, swift.admin]) {
    const shown = new Map((await badges(reader)).map(({ menu, count }) => [menu, count]))
    expect(shown).toEqual(await toDoCounts(reader))
  }
  const counted = await badges(decider)
  expect(counted.map(({ menu }) => menu).toSorted()).toEqual([...workMenus].toSorted())
  expect(counted.filter(({ count }) => count === 0)).toEqual([])
})

it('no longer counts an alarm after its acknowledgement', async () => {
  const acknowledged = await api.call(green.admin.token, alarmCenter.acknowledge, { body: { ids: [fault] } as never })
  expect(acknowledged.data).toEqual({ changed: 1 })
  // The previous count is cached for a moment.
  await until(async () => ((await countOf(green.admin, menuKey.alarmCenter)) === 1 ? true : undefined))
})
