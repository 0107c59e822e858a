import { payRefundStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type pg from 'pg'
import { storedPay } from '../../apps/server/src/core/payments/stored-status.ts'
import type { Trade } from '../../apps/pay-sandbox/src/pay-simulator.ts'
import type { LoadClient, Moved } from './money-load-client.ts'
import { members, rules, startFen } from './money-fixture.ts'

/** Records outside the platform: clients, devices, and the provider. */
export type ObservedRecords = {
  charges: readonly { orderNo: string }[]
  bills: ReadonlyMap<string, number>
  loadClient: LoadClient
  trades: readonly Trade[]
}

export async function judge(sql: pg.Client, records: ObservedRecords) {
  const { spent, ...orders } = await judgeOrders(sql, records)
  const { credited, returned, ...payments } = await judgePayments(sql, records)
  const back = sumsOf(records.loadClient.rechargeRefunds.values())
  const { rows: wallets } = await sql.query<{ owner_id: string; balance_fen: string }>(
    'select owner_id, balance_fen from account where kind = 1',
  )
  const due = (id: string) =>
    startFen + (credited.get(id) ?? 0n) + (returned.get(id) ?? 0n) - (spent.get(id) ?? 0n) - (back.get(id) ?? 0n)
  const { rows: breaks } = await sql.query(
    `select what, ref from app.ledger_breaks() union all select what, ref from app.order_breaks()
     union all select what, place from app.stat_breaks('2020-01-01', '2100-01-01')
     union all select what, place from app.analysis_breaks('2020-01-01', '2100-01-01')`,
  )
  for (const found of breaks.slice(0, 10)) console.error('broken', found)
  return {
    ...orders,
    ...payments,
    wallets: wallets.filter(({ owner_id, balance_fen }) => BigInt(balance_fen) !== due(owner_id)).length,
    breaks: breaks.length,
  }
}

function sumsOf(moved: Iterable<Moved>): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { memberId, fen } of moved) sums.set(memberId, (sums.get(memberId) ?? 0n) + fen)
  return sums
}

type Order = {
  id: string
  member_id: string
  status: number
  total_fen: string
  held: string
  holds: number
  ends: number
}

async function judgeOrders(sql: pg.Client, { charges, bills }: ObservedRecords) {
  const { rows } = await sql.query<Order>(
    `select id, member_id, status, total_fen, held_paid_fen + held_gift_fen as held,
       (select count(*)::int from posting where key = 'order/' || o.id || '/hold') as holds,
       (select count(*)::int from posting where key in ('order/' || o.id || '/bill', 'order/' || o.id || '/release')) as ends
     from charging_order o`,
  )
  const orderIds = new Set(rows.map(({ id }) => id))
  const confirmedIds = new Set(charges.map(({ orderNo }) => orderNo))
  const spent: Moved[] = []
  let wrong = 0
  for (const { id, member_id, status, total_fen, held: reservedFen, holds, ends } of rows) {
    const due = status === 3 ? expected(bills.get(id) ?? 0, BigInt(reservedFen)) : 0n
    if (BigInt(total_fen) !== due || holds !== 1 || ends !== (status === 3 || status === 4 ? 1 : 0)) wrong++
    spent.push({ memberId: member_id, fen: status === 5 ? BigInt(reservedFen) : due })
  }
  const count = (status: number) => rows.filter((row) => row.status === status).length
  return {
    billed: count(3),
    released: count(4),
    review: count(5),
    invented: rows.filter(({ id }) => !confirmedIds.has(id)).length,
    missing: [...confirmedIds].filter((id) => !orderIds.has(id)).length,
    hanging: count(1) + count(2),
    wrong,
    spent: sumsOf(spent),
  }
}

const expected = (energyWh: number, reservedFen: bigint): bigint =>
  price(rules, { startMs: 0, endMs: 1000, durationS: 1, energyDwh: energyWh * 10 }, { heldFen: reservedFen }).totalFen

type Pay = {
  no: string
  recharge: string
  member_id: string
  amount: string
  status: number
  transaction_id: string | null
  paid_late: boolean
}
type Back = { no: string; pay: string; purpose: number; ref: string; amount: string; status: number }

/** Our payments and refunds against those of the provider, one by one, and against the replies to the clients. */
async function judgePayments(sql: pg.Client, { loadClient, trades }: ObservedRecords) {
  const { rows: pays } = await sql.query<Pay>(
    `select 'P' || id as no, ref_id as recharge, member_id, amount_fen as amount, status, transaction_id, paid_late from pay_order`,
  )
  const { rows: backs } = await sql.query<Back>(
    `select 'R' || id as no, 'P' || pay_order_id as pay, purpose, ref_id as ref, amount_fen as amount, status from pay_refund`,
  )
  const { paid } = storedPay.number
  const tradeOf = new Map(trades.map((trade) => [trade.payNo, trade]))
  const isPaid = (trade: Trade | undefined) => trade?.state === 'SUCCESS'
  const wrongPays = pays.filter(({ no, amount, status, transaction_id }) => {
    const trade = tradeOf.get(no)
    if (!isPaid(trade)) return status === paid
    return status !== paid || trade?.transactionId !== transaction_id || trade.fen !== Number(amount)
  })
  const ours = new Set(pays.map(({ no }) => no))
  const strangers = trades.filter((trade) => isPaid(trade) && !ours.has(trade.payNo))
  const rechargeIds = new Set(pays.map(({ recharge }) => recharge))
  const lost = loadClient.recharges.filter(({ rechargeNo }) => !rechargeIds.has(rechargeNo))

  const late = pays.filter(({ paid_late }) => paid_late)
  const backOf = Map.groupBy(backs, ({ ref }) => ref)
  const wentBack = (ref: string) => (backOf.get(ref) ?? []).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  // The part of a refund to the payer that exceeds the remaining recharges stays in the wallet.
  const walletRefunds = [...loadClient.orderRefunds].map(([id, { memberId, fen, toWallet }]) => ({
    memberId,
    fen: fen - wentBack(id),
    most: toWallet ? 0n : fen,
    back: wentBack(id),
  }))
  const unreturned = [
    ...[...loadClient.rechargeRefunds].filter(([id, { fen }]) => wentBack(id) !== fen),
    ...walletRefunds.filter(({ back, most }) => back > most),
    ...late.filter(({ no, amount }) => wentBack(no.slice(1)) !== BigInt(amount)),
  ]
  const providerRefunds = new Map(
    trades.flatMap(({ payNo, refunds }) => refunds.map((refund) => [refund.refundNo, { ...refund, payNo }])),
  )
  const wrongBacks = backs.filter(({ no, pay, amount, status }) => {
    const there = providerRefunds.get(no)
    const same = there?.payNo === pay && there.fen === Number(amount) && there.state === 'SUCCESS'
    return status !== payRefundStatus.code.arrived || !same
  })
  const ourBacks = new Set(backs.map(({ no }) => no))
  const strangeBacks = [...providerRefunds.keys()].filter((no) => !ourBacks.has(no))

  const through = trades.filter(isPaid).reduce((sum, { fen }) => sum + BigInt(fen), 0n)
  const refundedFen = [...providerRefunds.values()].reduce((sum, { fen }) => sum + BigInt(fen), 0n)
  const { rows: accounts } = await sql.query<{ channel: string; waiting: string }>(
    // The channel balance excludes the provider's fee.
    `select coalesce(sum(app.account_balance(id)) filter (where kind in (51, 52)), 0) as channel,
       coalesce(sum(app.account_balance(id)) filter (where kind in (5, 6, 53)), 0) as waiting from account`,
  )
  const channelDue = -(BigInt(members) * startFen + through - refundedFen)
  const credits = pays.filter(({ status, paid_late }) => status === paid && !paid_late)
  for (const found of [...wrongPays, ...wrongBacks, ...unreturned].slice(0, 10)) console.error('wrong', found)
  return {
    recharges: loadClient.recharges.length,
    paid: credits.length,
    late: late.length,
    refunds: backs.length,
    wrongPayments: wrongPays.length + strangers.length + lost.length,
    wrongRefunds: wrongBacks.length + strangeBacks.length + unreturned.length,
    channelFen: Number(BigInt(accounts[0]?.channel ?? 0) - channelDue),
    waitingFen: Number(accounts[0]?.waiting ?? 0),
    returned: sumsOf(walletRefunds),
    credited: sumsOf(credits.map(({ member_id, amount }) => ({ memberId: member_id, fen: BigInt(amount) }))),
  }
}
