import { makeAlarm, makeTicket } from '../fixtures/alarms.ts'
import type { TestApi } from '../harness/api.ts'
import { makeCard, makeReplacement, makeSwipe } from '../fixtures/cards.ts'
import { makeCredential } from '../fixtures/credentials.ts'
import { makeDevice, type Models } from '../fixtures/devices.ts'
import { makeCoupon, makeGrant } from '../fixtures/coupons.ts'
import { makeAdjustment, makeBlock, makeMember, makeWhitelistEntry, recharge } from '../fixtures/members.ts'
import { makeDeskShift } from '../fixtures/offline-recharges.ts'
import { plantOrder } from '../fixtures/orders.ts'
import { makePerson, tenantMenus, type Fixture } from '../harness/people.ts'
import { makeMonthlyPlan, makePass } from '../fixtures/monthly-passes.ts'
import { addPlan } from '../fixtures/recharge-plan.ts'
import { makeCode } from '../fixtures/qr-rows.ts'
import {
  billedOrder,
  plantEnterpriseRefund,
  plantOrderRefund,
  plantRecharge,
  plantRechargeRefund,
} from '../fixtures/refunds.ts'

/** Every name in a row of the sibling contains this word. */
export const siblingWord = 'lime'

/** A sibling agent of an organisation's agent, with a site, people and rows of every kind that belongs to an agent. */
export async function makeSibling(api: TestApi, { id: organiseId, admin }: Fixture['green'], models: Models) {
  const one = async (text: string, values: unknown[]) =>
    (await api.sql<{ id: string }>(`${text} returning id`, values))[0]?.id ?? ''
  const agentId = await one('insert into agent (organise_id, name) values ($1, $2)', [
    organiseId,
    `代理商${siblingWord}`,
  ])
  const siteId = await one('insert into site (organise_id, agent_id, name) values ($1, $2, $3)', [
    organiseId,
    agentId,
    `站点${siblingWord}`,
  ])
  const place = { organiseId, agentId, siteId }
  const user = await makePerson(api, { ...place, loginName: `${siblingWord}_site`, menus: tenantMenus, code: 'ZDYHJS' })
  const device = await makeDevice(api, { ...place, typeId: models.mqtt, name: `设备${siblingWord}` })
  const member = await makeMember(api, { ...place, nickname: `会员${siblingWord}` })
  await recharge(api, member, 100)
  const couponId = await makeCoupon(api, place, { makerId: user.id, name: `券${siblingWord}` })
  const [wallet] = await api.sql<{ id: string }>('select id from account where owner_id = $1', [member.id])
  const paidRecharge = await plantRecharge(api, organiseId, member.id)
  const brand = { id: organiseId, subAgentId: agentId, siteId }
  const monthlyPlan = await makeMonthlyPlan(api, place, { name: `包月${siblingWord}` })
  const billed = await billedOrder(api, brand as never, models, member.id)
  const storedCard = await makeCard(api, { organiseId, siteId })
  const ids: Record<string, string> = {
    agent: agentId,
    site: siteId,
    user: user.id,
    device,
    ...(await plantOrder(api, device, siblingWord)),
    alarm: await makeAlarm(api, device),
    ticket: await makeTicket(api, device),
    member: member.id,
    account: wallet?.id ?? '',
    paidRecharge,
    refundOrder: await plantOrderRefund(api, billed, admin.id),
    rechargeRefund: await plantRechargeRefund(api, paidRecharge, { makerId: admin.id }),
    enterpriseRefund: await plantEnterpriseRefund(api, member.id, { makerId: admin.id }),
    adjustment: await makeAdjustment(api, member, admin.id),
    block: await makeBlock(api, { id: organiseId, admin }, { memberId: member.id }),
    whitelistEntry: await makeWhitelistEntry(api, place, { makerId: admin.id, phone: '13900000003' }),
    coupon: couponId,
    couponGrant: await makeGrant(api, couponId, member.id),
    storedCard: storedCard.id,
    cardReplacement: await makeReplacement(api, storedCard, admin.id),
    cardSwipe: await makeSwipe(api, storedCard, device),
    deskShift: await makeDeskShift(api, { memberId: member.id, clerkId: user.id, closed: true }),
    code: (await makeCode(api, { ...place, deviceId: device })).id,
    credential: await makeCredential(api, device),
    monthlyPlan,
    planOrder: (await makePass(api, member.id, monthlyPlan)).orderNo,
    rechargePlan: (await addPlan(api, place, { tiers: [[100, 10]] })).planId,
  }
  return { agentId, siteId, ids }
}
