import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type pg from 'pg'

/** The posting data of an order, with its time. */
export type PostingContext = {
  id: string
  keyAt: string
  place: Place
  atMs: number
  decided?: { by: string; why: string } | undefined
}
/**
 * Balances of members while the demo's orders are created, and all postings, which are written at the end in
 * chronological order.
 */
export type Place = { organiseId: string; agentId: string | null; siteId: string }
export type Reservation = { paidFen: bigint; giftFen: bigint }
type AccountName = keyof typeof accountKind.code
type Line = [AccountName, owner: string, fen: bigint]
type Posting = {
  /** The simulated time of the posting; postings are written in this order. */
  atMs: number
  key: string
  keyAt: string
  place: Place
  kind: keyof typeof postingKind.code
  ref: string
  by?: string | undefined
  memo?: string | undefined
  lines: Line[]
}

const paidIn = [2000n, 3000n, 5000n, 10_000n, 20_000n]
const least = (a: bigint, b: bigint) => (a < b ? a : b)

export class Wallet {
  readonly id: string
  readonly #postings: Posting[]
  paidFen: bigint
  giftFen: bigint
  rechargedFen = 0n
  #recharges = 0

  constructor(id: string, { paidFen, giftFen }: Reservation, postings: Posting[]) {
    this.id = id
    this.paidFen = paidFen
    this.giftFen = giftFen
    this.#postings = postings
  }

  get totalFen(): bigint {
    return this.paidFen + this.giftFen
  }

  /** Recharges a balance that is too low through WeChat, with a gift of a tenth from fifty yuan on. */
  fill(wantedFen: bigint, place: Place, atMs: number): void {
    while (this.totalFen < wantedFen) {
      const missing = wantedFen - this.totalFen
      const fen = paidIn.find((amount) => amount >= missing) ?? 20_000n
      // Recharges of the member's creation are numbered from 0.
      const no = 10 + this.#recharges++
      this.#book(`demo/recharge/${this.id}/${no}`, 'recharge', place, atMs, no, [
        ['memberPaid', this.id, fen],
        ['channel', String(channel.code.wechat), -fen],
      ])
      this.paidFen += fen
      this.rechargedFen += fen
      if (fen < 5000n) continue
      this.#book(`demo/gift/${this.id}/${no}`, 'gift', place, atMs, no, [
        ['memberGift', this.id, fen / 10n],
        ['giftCost', '0', -fen / 10n],
      ])
      this.giftFen += fen / 10n
    }
  }

  #book(key: string, kind: 'recharge' | 'gift', place: Place, atMs: number, no: number, lines: Line[]): void {
    const ref = `CZ${String(Number(this.id) * 100 + no).padStart(8, '0')}`
    this.#postings.push({ atMs, key, keyAt: new Date(atMs).toISOString(), place, kind, ref, lines })
  }

  /** Reserves the paid balance first, then the gift. */
  hold(order: PostingContext, wantedFen: bigint): Reservation {
    const paidFen = least(this.paidFen, wantedFen)
    const reserved = { paidFen, giftFen: wantedFen - paidFen }
    this.#order(order, 'hold', [
      ['memberPaid', this.id, -reserved.paidFen],
      ['memberPaidHeld', this.id, reserved.paidFen],
      ['memberGift', this.id, -reserved.giftFen],
      ['memberGiftHeld', this.id, reserved.giftFen],
    ])
    this.paidFen -= reserved.paidFen
    this.giftFen -= reserved.giftFen
    return reserved
  }

  release(order: PostingContext, reserved: Reservation): void {
    this.#order(order, 'release', this.#back(reserved, reserved))
  }

  /** Pays a bill from the reservation; returns the paid and the gifted part. */
  pay(
    order: PostingContext,
    reserved: Reservation,
    bill: { electricityFen: bigint; serviceFen: bigint; occupancyFen: bigint; totalFen: bigint },
  ): Reservation {
    const paidFen = least(bill.totalFen, reserved.paidFen)
    const paid = { paidFen, giftFen: bill.totalFen - paidFen }
    const remaining = { paidFen: reserved.paidFen - paid.paidFen, giftFen: reserved.giftFen - paid.giftFen }
    const { siteId } = order.place
    this.#order(order, 'bill', [
      ...this.#back(reserved, remaining),
      ['siteElectricity', siteId, bill.electricityFen],
      ['siteService', siteId, bill.serviceFen],
      ['siteOccupancy', siteId, bill.occupancyFen],
    ])
    return paid
  }

  #back(reserved: Reservation, remaining: Reservation): Line[] {
    this.paidFen += remaining.paidFen
    this.giftFen += remaining.giftFen
    return [
      ['memberPaidHeld', this.id, -reserved.paidFen],
      ['memberGiftHeld', this.id, -reserved.giftFen],
      ['memberPaid', this.id, remaining.paidFen],
      ['memberGift', this.id, remaining.giftFen],
    ]
  }

  #order(order: PostingContext, kind: 'hold' | 'release' | 'bill', lines: Line[]): void {
    const { id, keyAt, place, atMs, decided } = order
    const who = decided === undefined ? {} : { by: decided.by, memo: decided.why }
    this.#postings.push({ atMs, key: `order/${id}/${kind}`, keyAt, place, kind, ref: id, ...who, lines })
  }
}

/** The batch size of the ledger. */
const atOnce = 200

/** In chronological order. A batch has one posting per order, because a batch does not preserve their order. */
function inRounds(postings: readonly Posting[]): Posting[][] {
  const rounds: Posting[][] = []
  let [round, refs] = [[] as Posting[], new Set<string>()]
  for (const posting of postings.toSorted((a, b) => a.atMs - b.atMs)) {
    if (refs.has(posting.ref) || round.length === atOnce) [round, refs] = [[], new Set()]
    if (round.length === 0) rounds.push(round)
    round.push(posting)
    refs.add(posting.ref)
  }
  return rounds
}

export async function postAll(client: pg.Client, postings: readonly Posting[]): Promise<void> {
  for (const round of inRounds(postings)) {
    const batch = round.map(({ key, keyAt, place, kind, ref, by, memo, lines }) => ({
      key,
      keyAt,
      ...place,
      kind: postingKind.code[kind],
      ref,
      memo: memo ?? null,
      by: by ?? null,
      lines: lines
        .filter(([, , fen]) => fen !== 0n)
        .map(([account, owner, fen]) => [accountKind.code[account], owner, fen.toString()]),
    }))
    await client.query('select app.post($1::jsonb)', [JSON.stringify(batch)])
  }
}

export type Ledger = Posting[]
