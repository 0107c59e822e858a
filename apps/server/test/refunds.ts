import { orderMenus } from './orders.ts'
import type { TestApi } from './api.ts'
import { makeDevice, type Models } from './devices.ts'
import { postLines } from './members.ts'
import { ledgerBreaks } from './payments.ts'
import { type Actor, makePerson, openSession } from './people.ts'

type Brand = { id: string; subAgentId: string; siteId: string }

/** Everything that people who give money back look at. */
export const refundMenus = [...orderMenus, '7.1', '7.3', '7.9', '7.10', '7.11']

type Bill = {
  paid?: number
  gift?: number
  parts?: [electricity: number, service: number, occupancy: number]
  stopReason?: string
  durationS?: number
  energyDwh?: number
}

/** A charge that was billed, by a member's money, as the ledger has it. */
export async function billedOrder(api: TestApi, brand: Brand, models: Models, memberId: string, bill: Bill = {}) {
  const { paid = 1000, gift = 0 } = bill
  const total = paid + gift
  const [electricity, service, occupancy] = bill.parts ?? [Math.floor(total * 0.6), total - Math.floor(total * 0.6), 0]
  const place = { organiseId: brand.id, agentId: brand.subAgentId, siteId: brand.siteId }
  const deviceId = await makeDevice(api, { ...place, typeId: models.dny })
  const [order] = await api.sql<{ id: string }>(
    `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode, billing_type,
       status, limit_by, limit_value, held_paid_fen, held_gift_fen, started_at, ended_at, duration_s, energy_dwh, stop_reason, electricity_fen, service_fen,
       occupancy_fen, total_fen, paid_fen, gift_fen, settled_at)
     select organise_id, agent_id, site_id, id, 1, device_no, device_type_id, 'w' || id, $2, 1, 0, 3, 1, 300, $3, $4, now() - interval '1 hour', now(), $9, $10, $11,
       $5, $6, $7, $8, $3, $4, now() from device where id = $1 returning id`,
    [
      deviceId,
      memberId,
      paid,
      gift,
      electricity,
      service,
      occupancy,
      total,
      bill.durationS ?? 3600,
      bill.energyDwh ?? 5000,
      bill.stopReason ?? 'full',
    ],
  )
  const lines = [
    ['channel', '1', -paid],
    ['giftCost', '0', -gift],
    ['siteElectricity', brand.siteId, electricity],
    ['siteService', brand.siteId, service],
    ['siteOccupancy', brand.siteId, occupancy],
  ] as const
  if (total > 0) await postLines(api, brand.id, 'bill', lines.filter(([, , fen]) => fen !== 0) as never)
  return order?.id ?? ''
}

/** Somebody with every right of the refunds' menus. */
export const makeRefunder = (api: Pick<TestApi, 'sql'>, organiseId: string, loginName: string): Promise<Actor> =>
  makePerson(api, { organiseId, loginName, menus: refundMenus })

/** Nothing in the ledger contradicts anything. */
export async function proveLedger(api: TestApi): Promise<void> {
  const breaks = await ledgerBreaks(api)
  if (breaks.length > 0) throw new Error(`the ledger is broken: ${JSON.stringify(breaks)}`)
}

/** A session that one person opened in the name of another. */
export async function borrowedSession(api: TestApi, userId: string, byId: string): Promise<string> {
  const token = await openSession(api, userId)
  await api.sql('update session set acted_by = $2 where user_id = $1 and token_hash = sha256($3)', [
    userId,
    byId,
    Buffer.from(token),
  ])
  return token
}

/** A recharge that was paid, with its payment, as the ledger has it. */
export async function plantRecharge(api: TestApi, organiseId: string, memberId: string, fen = 1000): Promise<string> {
  const [made] = await api.sql<{ id: string }>(
    `with ids as (select app.pay_id() as recharge, app.pay_id() as pay, agent_id, site_id from member where id = $2),
      paid as (insert into pay_order (id, organise_id, agent_id, site_id, merchant_id, provider, way, purpose, ref_id, member_id, amount_fen, profit_sharing,
          status, transaction_id, paid_at, expires_at)
        select pay, $1, agent_id, site_id, 1, 1, 1, 2, recharge, $2, $3, false, 2, 'T' || pay, now(), now() from ids)
     insert into recharge_order (id, organise_id, agent_id, site_id, target, member_id, pay_order_id, provider, amount_fen, status, paid_at)
     select recharge, $1, agent_id, site_id, 1, $2, pay, 1, $3, 2, now() from ids returning id`,
    [organiseId, memberId, fen],
  )
  await postLines(api, organiseId, 'recharge', [
    ['channel', '1', -fen],
    ['memberPaid', memberId, fen],
  ])
  return made?.id ?? ''
}

type Asked = { makerId: string; auditorId?: string; approverId?: string }

/** A refund of a recharge, as far as these people have brought it; approved, the payer's account cannot take it. */
export async function plantRechargeRefund(api: TestApi, rechargeId: string, { makerId, auditorId, approverId }: Asked) {
  const fen = 100
  const status =
    approverId === undefined ? (auditorId === undefined ? 'AUDITING' : 'APPROVALING') : 'APPROVALING_FINISH'
  const [made] = await api.sql<{ id: string; memberId: string; organiseId: string; payOrderId: string }>(
    `insert into recharge_refund (organise_id, agent_id, site_id, recharge_id, pay_order_id, provider, member_id, amount_fen, payout_fen, gift_fen, gift_spent_fen,
       reason, status, created_by_id, created_by, audited_by_id, audited_by, audited_at, approved_by_id, approved_by, approved_at)
     select organise_id, agent_id, site_id, id, pay_order_id, provider, member_id, $2, $2, 0, 0, '不再使用', $3, $4, '申请人', $5, '审核人',
       case when $5::bigint is not null then now() end, $6, '审批人', case when $6::bigint is not null then now() end
     from recharge_order where id = $1
     returning id, member_id as "memberId", organise_id as "organiseId", pay_order_id as "payOrderId"`,
    [rechargeId, fen, status, makerId, auditorId ?? null, approverId ?? null],
  )
  if (made === undefined) throw new Error('no such recharge')
  const { id, memberId, organiseId } = made
  await api.sql('update recharge_order set refunded_fen = refunded_fen + $2 where id = $1', [rechargeId, fen])
  await postLines(api, organiseId, 'hold', [
    ['memberPaid', memberId, -fen],
    approverId === undefined ? ['memberRefunding', memberId, fen] : ['refundDue', '1', fen],
  ])
  if (approverId !== undefined) {
    const payRefundId = await plantStuck(api, made.payOrderId, { purpose: 1, refId: id, fen })
    await api.sql('update recharge_refund set pay_refund_id = $2, stuck = true where id = $1', [id, payRefundId])
  }
  return id
}

async function plantStuck(api: TestApi, payOrderId: string, wish: { purpose: number; refId: string; fen: number }) {
  await api.sql('update pay_order set refunded_fen = refunded_fen + $2 where id = $1', [payOrderId, wish.fen])
  const [made] = await api.sql<{ id: string }>(
    `insert into pay_refund (organise_id, agent_id, site_id, pay_order_id, merchant_id, amount_fen, purpose, ref_id, reason, status)
     select organise_id, agent_id, site_id, id, merchant_id, $2, $3, $4, '退款', 5 from pay_order where id = $1 returning id`,
    [payOrderId, wish.fen, wish.purpose, wish.refId],
  )
  return made?.id ?? ''
}

/** A refund of an order that waits for somebody else; `stuck`: approved, and the payer's account cannot take it. */
export async function plantOrderRefund(
  api: TestApi,
  orderId: string,
  makerId: string,
  stuck?: { rechargeId: string; byId: string },
): Promise<string> {
  await api.sql('update charging_order set refunded_fen = refunded_fen + 100 where id = $1', [orderId])
  const [made] = await api.sql<{ id: string; organiseId: string }>(
    `insert into refund_order (organise_id, agent_id, site_id, order_id, member_id, way, amount_fen, paid_fen, gift_fen, electricity_fen, service_fen, occupancy_fen,
       reason, created_by_id, created_by, status, decided_by_id, decided_by, decided_at)
     select organise_id, agent_id, site_id, id, member_id, case when $3::bigint is null then 1 else 2 end, 100, 100, 0, 100, 0, 0, '设备故障', $2, '申请人',
       case when $3::bigint is null then 1 else 2 end, $3, case when $3::bigint is not null then '审批人' end, case when $3::bigint is not null then now() end
     from charging_order where id = $1 returning id, organise_id as "organiseId"`,
    [orderId, makerId, stuck?.byId ?? null],
  )
  if (made === undefined) throw new Error('no such order')
  if (stuck !== undefined) {
    const [recharge] = await api.sql<{ payOrderId: string }>(
      'update recharge_order set refunded_fen = refunded_fen + 100 where id = $1 returning pay_order_id as "payOrderId"',
      [stuck.rechargeId],
    )
    await postLines(api, made.organiseId, 'refund', [
      ['channel', '1', -100],
      ['refundDue', '1', 100],
    ])
    await plantStuck(api, recharge?.payOrderId ?? '', { purpose: 5, refId: made.id, fen: 100 })
  }
  return made.id
}

/** A refund of a company's wallet, as far as these people have brought it. */
export async function plantEnterpriseRefund(
  api: TestApi,
  memberId: string,
  { makerId, auditorId, approverId }: Asked,
  account = '6222021234567890123',
): Promise<string> {
  const fen = 100
  const status =
    approverId === undefined ? (auditorId === undefined ? 'AUDITING' : 'APPROVALING') : 'APPROVALING_FINISH'
  const [made] = await api.sql<{ id: string; organiseId: string }>(
    `insert into enterprise_refund (organise_id, agent_id, site_id, member_id, company, amount_fen, payee, account_sealed, account_shown, bank, reason, status,
       created_by_id, created_by, audited_by_id, audited_by, audited_at, approved_by_id, approved_by, approved_at)
     select organise_id, agent_id, site_id, id, '西湖物流', $2, '西湖物流', $3, '6222****0123', '工商银行', '退场', $4, $5, '申请人', $6, '审核人',
       case when $6::bigint is not null then now() end, $7, '审批人', case when $7::bigint is not null then now() end
     from member where id = $1 returning id, organise_id as "organiseId"`,
    [memberId, fen, api.deps.vault.seal(account), status, makerId, auditorId ?? null, approverId ?? null],
  )
  if (made === undefined) throw new Error('no such member')
  await postLines(api, made.organiseId, 'hold', [
    ['channel', '9', -fen],
    ['memberRefunding', memberId, fen],
  ])
  return made.id
}

type World = {
  green: Brand & { admin: { id: string }; agent: { id: string }; site: { id: string } }
  platform: { root: { id: string } }
}

/** The refund, or what is to be refunded, that a change of this feature is about; the platform's root makes the change. */
export async function makeRefundFor(
  api: TestApi,
  { green, platform }: World,
  models: Models,
  memberId: string,
  feature: string,
  route: string,
): Promise<string> {
  const makerId = green.admin.id
  if (feature === 'refundOrder') {
    const orderId = await billedOrder(api, green, models, memberId)
    if (route === 'add') return orderId
    const mending = route === 'retry' || route === 'toWallet'
    const rechargeId = mending ? await plantRecharge(api, green.id, memberId) : ''
    return plantOrderRefund(api, orderId, makerId, mending ? { rechargeId, byId: green.agent.id } : undefined)
  }
  if (feature === 'enterpriseRefund') {
    if (route === 'add') await plantRecharge(api, green.id, memberId)
    if (route === 'cancel') return plantEnterpriseRefund(api, memberId, { makerId: platform.root.id })
    const auditorId = green.agent.id
    if (route === 'approve' || route === 'approvalFail')
      return plantEnterpriseRefund(api, memberId, { makerId, auditorId })
    const approved = route === 'finish' || route === 'giveBack'
    return plantEnterpriseRefund(
      api,
      memberId,
      approved ? { makerId, auditorId, approverId: green.site.id } : { makerId },
    )
  }
  if (feature !== 'rechargeRefund') return ''
  const rechargeId = await plantRecharge(api, green.id, memberId)
  const auditorId = green.agent.id
  if (route === 'add') return rechargeId
  if (route === 'cancel') return plantRechargeRefund(api, rechargeId, { makerId: platform.root.id })
  if (route === 'approve' || route === 'approvalFail')
    return plantRechargeRefund(api, rechargeId, { makerId, auditorId })
  const mending = route === 'retry' || route === 'giveBack'
  return plantRechargeRefund(api, rechargeId, mending ? { makerId, auditorId, approverId: green.site.id } : { makerId })
}
