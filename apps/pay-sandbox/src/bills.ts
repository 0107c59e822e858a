import type { Merchant } from './merchants.ts'
import type { PaySimulator, Trade } from './pay-simulator.ts'

export type BillLine = {
  kind: 'payment' | 'refund'
  payNo: string
  refundNo: string | undefined
  refundId: string | undefined
  transactionId: string
  title: string
  appId: string
  payer: string
  fen: number
  /** The provider's fee; negative on a refund. */
  feeFen: number
  at: Date
}
/** A planted difference between the bill and the trades. `no` is a payment or refund number. */
export type Plant =
  | { kind: 'drop'; no: string }
  | { kind: 'add'; day: string; payNo: string; fen: number }
  | { kind: 'amount'; no: string; fen: number }
  | { kind: 'fee'; no: string; fen: number }
  | { kind: 'nextDay'; no: string }

const dayMs = 86_400_000
const chinaDay = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

/** The bill of a day: the trades, with planted differences. */
export class Bills {
  readonly #simulator: PaySimulator
  readonly #plants = new Map<string, Plant[]>()
  constructor(simulator: PaySimulator) {
    this.#simulator = simulator
  }

  plant(merchantNo: string, plant: Plant): void {
    this.#plants.set(merchantNo, [...(this.#plants.get(merchantNo) ?? []), plant])
  }
  clear(merchantNo: string): void {
    this.#plants.delete(merchantNo)
  }

  /** Filters by sub-merchant when one is given. */
  linesOf(merchant: Merchant, day: string, sub?: string): BillLine[] {
    const mine = this.#simulator.trades.filter(
      ({ provider, merchantNo, subMerchantNo }) =>
        provider === merchant.provider &&
        merchantNo === merchant.merchantNo &&
        (sub ?? subMerchantNo) === subMerchantNo,
    )
    let lines = mine.flatMap((trade) => linesOf(trade, merchant.rateE4))
    for (const plant of this.#plants.get(merchant.merchantNo) ?? []) lines = planted(lines, plant, merchant)
    return lines.filter(({ at }) => chinaDay(at) === day).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  }
}

const feeOf = (fen: number, rateE4: number) => Math.round((fen * rateE4) / 10_000)

function linesOf(trade: Trade, rateE4: number): BillLine[] {
  const { payNo, transactionId, title, appId, payer = '', paidAt, fen } = trade
  if (paidAt === undefined) return []
  const common = { payNo, transactionId, title, appId, payer }
  const payment = { ...common, kind: 'payment' as const, refundNo: undefined, refundId: undefined }
  return [
    { ...payment, fen, feeFen: feeOf(fen, rateE4), at: paidAt },
    ...trade.refunds.map((refund) => ({
      ...common,
      kind: 'refund' as const,
      refundNo: refund.refundNo,
      refundId: refund.refundId,
      fen: refund.fen,
      feeFen: -feeOf(refund.fen, rateE4),
      at: refund.askedAt,
    })),
  ]
}

function planted(lines: BillLine[], plant: Plant, { appId, rateE4 }: Merchant): BillLine[] {
  if (plant.kind === 'add') return [...lines, strayLine(plant, appId, rateE4)]
  const hit = (line: BillLine) => (line.refundNo ?? line.payNo) === plant.no
  if (plant.kind === 'drop') return lines.filter((line) => !hit(line))
  return lines.map((line) => (hit(line) ? changed(line, plant) : line))
}

function changed(line: BillLine, plant: Exclude<Plant, { kind: 'add' | 'drop' }>): BillLine {
  if (plant.kind === 'amount') return { ...line, fen: plant.fen }
  if (plant.kind === 'fee') return { ...line, feeFen: plant.fen }
  return { ...line, at: new Date(line.at.getTime() + dayMs) }
}

function strayLine({ day, payNo, fen }: Extract<Plant, { kind: 'add' }>, appId: string, rateE4: number): BillLine {
  return {
    kind: 'payment',
    payNo,
    refundNo: undefined,
    refundId: undefined,
    transactionId: `4200099${payNo}`,
    title: '沙箱',
    appId,
    payer: 'stray',
    fen,
    feeFen: feeOf(fen, rateE4),
    at: new Date(`${day}T12:00:00+08:00`),
  }
}
