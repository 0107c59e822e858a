import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type pg from 'pg'
import type { ChargeFault } from '../../apps/simulator/src/faults.ts'
import { rules, startFen } from './money-fixture.ts'

/** Records of the devices and their users, against which the platform is verified. */
export type Truth = {
  /** Member ids by order number. */
  started: ReadonlyMap<string, string>
  /** By the order number on the device. */
  faults: ReadonlyMap<string, ChargeFault>
  bills: ReadonlyMap<string, { energyWh: number }>
}
export type Verdict = {
  billed: number
  released: number
  review: number
  injected: Partial<Record<ChargeFault, number>>
  /** Injected but not in review; in review but not injected. */
  unseen: number
  unexpected: number
  hanging: number
  missing: number
  invented: number
  /** Orders without exactly one reservation and one end, and bills that differ from the metered usage. */
  wrong: number
  /** Members whose balance differs from their orders, to the fen. */
  wallets: number
  breaks: number
}
type Row = {
  id: string
  wire: string
  member_id: string
  status: number
  reasons: string[] | null
  energy_dwh: number | null
  total_fen: string
  held: string
  holds: number
  ends: number
}

/** Faults that need a review. The others are connection faults, which the platform corrects itself. */
const reviewed: ReadonlySet<ChargeFault> = new Set(['wrongMeter', 'backwards', 'zeroBaseline', 'lateStart'])
const { billed, released, review, starting, charging } = orderStatus.code

/** `whose`: all orders, or only those with a payer, where devices also charge without one. */
export async function judgeEvening(sql: pg.Client, truth: Truth, whose: 'all' | 'paid' = 'all'): Promise<Verdict> {
  const { rows } = await sql.query<Row>(
    `select o.id, o.wire_no as wire, o.member_id, o.status, o.review_reasons as reasons, o.energy_dwh, o.total_fen, held_paid_fen + held_gift_fen as held,
       (select count(*)::int from posting where key = 'order/' || o.id || '/hold') as holds,
       (select count(*)::int from posting where key in ('order/' || o.id || '/bill', 'order/' || o.id || '/release')) as ends
     from charging_order o where $1 = 'all' or o.member_id is not null`,
    [whose],
  )
  const isInjected = ({ wire }: Row) => reviewed.has(truth.faults.get(wire) ?? 'offline')
  const unseen = rows.filter((row) => isInjected(row) && row.status !== review)
  const unexpected = rows.filter((row) => row.status === review && !isInjected(row))
  const wrong = rows.filter((row) => isWrong(row, truth))
  for (const [name, some] of Object.entries({ unseen, unexpected, wrong }))
    for (const row of some.slice(0, 10))
      console.error(name, row, truth.faults.get(row.wire), truth.bills.get(row.wire)?.energyWh)
  const { rows: breaks } = await sql.query(
    `select what, ref from app.ledger_breaks() union all select what, ref from app.order_breaks()
     union all select what, place from app.stat_breaks('2020-01-01', '2100-01-01')
     union all select what, place from app.analysis_breaks('2020-01-01', '2100-01-01')`,
  )
  for (const found of breaks.slice(0, 10)) console.error('broken', found)
  const orderIds = new Set(rows.map(({ id }) => id))
  const count = (status: number) => rows.filter((row) => row.status === status).length
  return {
    billed: count(billed),
    released: count(released),
    review: count(review),
    injected: counted(rows.flatMap(({ wire }) => truth.faults.get(wire) ?? [])),
    unseen: unseen.length,
    unexpected: unexpected.length,
    hanging: count(starting) + count(charging),
    missing: [...truth.started.keys()].filter((id) => !orderIds.has(id)).length,
    invented: rows.filter(({ id }) => !truth.started.has(id)).length,
    wrong: wrong.length,
    wallets: await wrongWallets(sql, rows),
    breaks: breaks.length,
  }
}

function isWrong(row: Row, { bills }: Truth): boolean {
  const isOver = row.status === billed || row.status === released
  // An order released before its late bill has ended once, and waits for a review.
  const ends = row.status === review ? Number(row.reasons?.includes('late') === true) : Number(isOver)
  if (row.holds !== 1 || row.ends !== ends) return true
  if (row.status !== billed) return row.total_fen !== '0'
  const energyDwh = (bills.get(row.wire)?.energyWh ?? Number.NaN) * 10
  if (row.energy_dwh !== energyDwh) return true
  const usage = { startMs: 0, endMs: 1000, durationS: 1, energyDwh }
  return BigInt(row.total_fen) !== price(rules, usage, { heldFen: BigInt(row.held) }).totalFen
}

async function wrongWallets(sql: pg.Client, rows: readonly Row[]): Promise<number> {
  const spent = new Map<string, bigint>()
  for (const { member_id, status, total_fen, held: reservedFen } of rows) {
    const fen = status === billed ? BigInt(total_fen) : BigInt(reservedFen)
    spent.set(member_id, (spent.get(member_id) ?? 0n) + fen)
  }
  const { rows: wallets } = await sql.query<{ owner_id: string; balance_fen: string }>(
    'select owner_id, balance_fen from account where kind = 1',
  )
  return wallets.filter(({ owner_id, balance_fen }) => BigInt(balance_fen) !== startFen - (spent.get(owner_id) ?? 0n))
    .length
}

const counted = (faults: readonly ChargeFault[]): Partial<Record<ChargeFault, number>> => {
  const found: Partial<Record<ChargeFault, number>> = {}
  for (const fault of faults) found[fault] = (found[fault] ?? 0) + 1
  return found
}
