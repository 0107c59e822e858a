import { accountKind, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type pg from 'pg'
import type { Vault } from '../../apps/server/src/kit/crypto/vault.ts'

type Wallet = { memberId: string; rechargeId: string; payOrderId: string }
type Order = { id: string; siteId: string; memberId: string }
type Line = [account: keyof typeof accountKind.code, owner: string, fen: number]

const organise = '2'
const maker = 'green'

/** Refunds at each step, with their ledger postings. */
export async function addDemoRefunds(client: pg.Client, vault: Vault): Promise<void> {
  const { rows } = await client.query('select 1 from refund_order limit 1')
  if (rows.length > 0) return
  const wallets = await walletsOf(client)
  for (const [no, order] of (await billedOrders(client)).entries()) await addOrderRefund(client, order, no)
  for (const [no, wallet] of wallets.slice(0, 4).entries()) await addRechargeRefund(client, wallet, no)
  for (const [no, wallet] of wallets.slice(4, 6).entries()) await addEnterpriseRefund(client, vault, wallet, no)
}

/** Members with enough recharges to spend some and to request the rest back. */
async function walletsOf(client: pg.Client): Promise<Wallet[]> {
  const { rows } = await client.query<Wallet>(
    `select distinct on (member_id) member_id as "memberId", recharge_order.id as "rechargeId", pay_order_id as "payOrderId" from recharge_order
     join account on account.kind = 1 and account.owner_id = member_id and account.organise_id = recharge_order.organise_id and account.balance_fen >= 4000
     where recharge_order.organise_id = $1 and status = 2 and pay_order_id is not null and amount_fen >= 3000 order by member_id, recharge_order.id desc limit 7`,
    [organise],
  )
  return rows
}

type Posting = { organiseId?: string; key: string; kind: keyof typeof postingKind.code; ref: string; lines: Line[] }

async function post(client: pg.Client, { organiseId = organise, key, kind, ref, lines }: Posting) {
  const posting = {
    key,
    keyAt: new Date().toISOString(),
    organiseId,
    agentId: null,
    siteId: null,
    kind: postingKind.code[kind],
    ref,
    memo: null,
    by: null,
    lines: lines.map(([account, owner, fen]) => [accountKind.code[account], owner, String(fen)]),
  }
  await client.query('select app.post($1::jsonb)', [JSON.stringify([posting])])
}

const reserved = (key: string, ref: string, memberId: string, fen: number): Posting => ({
  key,
  kind: 'hold',
  ref,
  lines: [
    ['memberPaid', memberId, -fen],
    ['memberRefunding', memberId, fen],
  ],
})

type Back = { id: string; electricity: number; service: number }

const payBack = (client: pg.Client, organiseId: string, order: Order, { id, electricity, service }: Back) =>
  post(client, {
    organiseId,
    key: `refund/${id}/back`,
    kind: 'refund',
    ref: order.id,
    lines: [
      ['siteElectricity', order.siteId, -electricity],
      ['siteService', order.siteId, -service],
      ['memberPaid', order.memberId, electricity + service],
    ],
  })

/** Recent bills paid from the paid balance alone. */
async function billedOrders(client: pg.Client): Promise<Order[]> {
  const { rows } = await client.query<Order>(
    `select id, site_id as "siteId", member_id as "memberId" from charging_order
     where organise_id = $1 and status = 3 and member_id is not null and card_id is null and gift_fen = 0 and occupancy_fen = 0 and electricity_fen > 0
       and service_fen > 1 and refunded_fen = 0 order by id desc limit 7`,
    [organise],
  )
  return rows
}

const reasons = ['充电桩继电器故障', '用户称未充上电', '站点停电', '误操作启动', '充电中断', '多收费用', '端口接触不良']

/** Four wait, one is declined, the others have arrived. */
async function addOrderRefund(client: pg.Client, order: Order, no: number): Promise<void> {
  const status = no < 4 ? 1 : no === 4 ? 3 : 4
  const { rows } = await client.query<{ id: string; electricity: string; service: string }>(
    `insert into refund_order (organise_id, agent_id, site_id, order_id, member_id, way, amount_fen, paid_fen, gift_fen, electricity_fen, service_fen, occupancy_fen,
       reason, status, created_by_id, created_by, created_at, decided_by_id, decided_by, decided_at, decision, arrived_at)
     select bill.organise_id, bill.agent_id, bill.site_id, bill.id, member_id, 1, electricity_fen + service_fen / 2, electricity_fen + service_fen / 2, 0, electricity_fen,
       service_fen / 2, 0, $2, $3::int, maker.id, maker.name, now() - make_interval(mins => 200 - $4::int * 20),
       case when $3::int > 1 then checker.id end, case when $3::int > 1 then checker.name end, case when $3::int > 1 then now() end,
       case when $3::int = 3 then '曲线显示充电正常' end, case when $3::int = 4 then now() end
     from charging_order bill, user_account maker, user_account checker
     where bill.id = $1 and maker.login_name = $5 and checker.login_name = 'platform'
     returning id, electricity_fen as electricity, service_fen as service`,
    [order.id, reasons[no] ?? '充电异常', status, no, maker],
  )
  const [refund] = rows
  if (refund === undefined || status === 3) return
  const [electricity, service] = [Number(refund.electricity), Number(refund.service)]
  await client.query('update charging_order set refunded_fen = refunded_fen + $2 where id = $1', [
    order.id,
    electricity + service,
  ])
  if (status === 4) await payBack(client, organise, order, { id: refund.id, electricity, service })
}

/** Two wait for an audit, one for an approval, one is cancelled. */
async function addRechargeRefund(client: pg.Client, { rechargeId, memberId }: Wallet, no: number): Promise<void> {
  const fen = 1000 + no * 500
  const status = ['AUDITING', 'AUDITING', 'APPROVALING', 'AUDIT_CANCEL'][no]
  const { rows } = await client.query<{ id: string }>(
    `insert into recharge_refund (organise_id, agent_id, site_id, recharge_id, pay_order_id, provider, member_id, amount_fen, payout_fen, gift_fen, gift_spent_fen, reason,
       status, created_by_id, created_by, audited_by_id, audited_by, audited_at, finished_at)
     select recharge.organise_id, recharge.agent_id, recharge.site_id, recharge.id, pay_order_id, provider, member_id, $2::bigint, $2::bigint, 0, 0, '不再使用', $3::text, maker.id, maker.name,
       case when $3::text = 'APPROVALING' then checker.id end, case when $3::text = 'APPROVALING' then checker.name end, case when $3::text = 'APPROVALING' then now() end,
       case when $3::text = 'AUDIT_CANCEL' then now() end
     from recharge_order recharge, user_account maker, user_account checker
     where recharge.id = $1 and maker.login_name = $4 and checker.login_name = 'platform' returning id`,
    [rechargeId, fen, status, maker],
  )
  const [refund] = rows
  if (refund === undefined || status === 'AUDIT_CANCEL') return
  await client.query('update recharge_order set refunded_fen = refunded_fen + $2 where id = $1', [rechargeId, fen])
  await post(client, reserved(`rechargeRefund/${refund.id}/ask`, refund.id, memberId, fen))
}

const companies = [
  {
    company: '杭州云栖物流有限公司',
    account: '3301040160012345678',
    shown: '3301****5678',
    bank: '中国银行杭州西湖支行',
  },
  {
    company: '浙江绿电出行科技有限公司',
    account: '1202021219900123456',
    shown: '1202****3456',
    bank: '工商银行杭州滨江支行',
  },
]

async function addEnterpriseRefund(client: pg.Client, vault: Vault, { memberId }: Wallet, no: number): Promise<void> {
  const company = companies[no]
  if (company === undefined) return
  const fen = 2000
  const { rows } = await client.query<{ id: string }>(
    `insert into enterprise_refund (organise_id, agent_id, site_id, member_id, company, amount_fen, payee, account_sealed, account_shown, bank, reason, status,
       created_by_id, created_by, audited_by_id, audited_by, audited_at)
     select member.organise_id, member.agent_id, member.site_id, member.id, $2, $3, $2, $4, $5, $6, '车队合同到期', case when $7::int = 0 then 'AUDITING' else 'APPROVALING' end,
       maker.id, maker.name, case when $7::int = 1 then checker.id end, case when $7::int = 1 then checker.name end, case when $7::int = 1 then now() end
     from member, user_account maker, user_account checker
     where member.id = $1 and maker.login_name = $8 and checker.login_name = 'platform' returning id`,
    [memberId, company.company, fen, vault.seal(company.account), company.shown, company.bank, no, maker],
  )
  const [refund] = rows
  if (refund === undefined) return
  await post(client, reserved(`enterpriseRefund/${refund.id}/ask`, refund.id, memberId, fen))
}

/**
 * A month of refunds of an organisation, each requested soon after its charge and decided on the same day; the newest
 * wait.
 */
export async function addPastRefunds(client: pg.Client, organiseId: number, makerName: string): Promise<void> {
  const existing = await client.query('select from refund_order where organise_id = $1 limit 1', [organiseId])
  if (existing.rowCount !== 0) return
  const { rows } = await client.query<Order & Omit<Back, 'id'> & { status: number; refundId: string }>(
    `with chosen as (
       select bill.*, row_number() over (order by id desc) as place from charging_order bill
       where organise_id = $1 and status = 3 and member_id is not null and card_id is null and gift_fen = 0 and occupancy_fen = 0 and service_fen > 1
         and total_fen > 40 and settled_at < now() - interval '2 hours'
     ), asked as (
       insert into refund_order (organise_id, agent_id, site_id, order_id, member_id, way, amount_fen, paid_fen, gift_fen, electricity_fen, service_fen,
         occupancy_fen, reason, status, created_by_id, created_by, created_at, decided_by_id, decided_by, decided_at, decision, arrived_at)
       select chosen.organise_id, chosen.agent_id, chosen.site_id, chosen.id, member_id, 1, electricity_fen + service_fen, electricity_fen + service_fen, 0,
         electricity_fen, service_fen, 0, ($3::text[])[1 + place % cardinality($3::text[])], state, maker.id, maker.name, settled_at + interval '40 minutes',
         case when state > 1 then checker.id end, case when state > 1 then checker.name end, case when state > 1 then settled_at + interval '90 minutes' end,
         case when state = 3 then '曲线显示充电正常' end, case when state = 4 then settled_at + interval '91 minutes' end
       from chosen cross join lateral (select case when place < 300 then 1 when place % 480 = 0 then 3 else 4 end as state) decided
       join user_account maker on maker.login_name = $2 join user_account checker on checker.login_name = 'platform'
       where place % 96 = 0
       returning id, order_id, site_id, member_id, electricity_fen, service_fen, status
     )
     select id as "refundId", order_id as id, site_id as "siteId", member_id as "memberId", electricity_fen::int as electricity,
       service_fen::int as service, status from asked`,
    [organiseId, makerName, reasons],
  )
  for (const row of rows) {
    const { electricity, service, status, refundId } = row
    if (status === 3) continue
    await client.query('update charging_order set refunded_fen = refunded_fen + $2 where id = $1', [
      row.id,
      electricity + service,
    ])
    if (status === 4) await payBack(client, String(organiseId), row, { id: refundId, electricity, service })
  }
}
