import { accountKind, channel, postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type pg from 'pg'

/** What is booked of an order, and when. */
export type Booked = {
  id: string
  keyAt: string
  place: Place
  atMs: number
  decided?: { by: string; why: string } | undefined
}
/** What members have while the demo's orders are made, and everything that moved it: posted at the end, in one order. */
export type Place = { organiseId: string; agentId: string | null; siteId: string }
export type Held = { paidFen: bigint; giftFen: bigint }
type AccountName = keyof typeof accountKind.code
type Line = [AccountName, owner: string, fen: bigint]
type Posting = {
  /** When it would have happened: postings are made in this order. */
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

  constructor(id: string, { paidFen, giftFen }: Held, postings: Posting[]) {
    this.id = id
    this.paidFen = paidFen
    this.giftFen = giftFen
    this.#postings = postings
  }

  get totalFen(): bigint {
    return this.paidFen + this.giftFen
  }

  /** Whoever has too little pays in before, through WeChat, and gets a tenth on top from fifty yuan on. */
  fill(wantedFen: bigint, place: Place, atMs: number): void {
    while (this.totalFen < wantedFen) {
      const missing = wantedFen - this.totalFen
      const fen = paidIn.find((amount) => amount >= missing) ?? 20_000n
      // Those that came with the member are numbered from 0.
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

  /** Own money first, then what was given. */
  hold(order: Booked, wantedFen: bigint): Held {
    const paidFen = least(this.paidFen, wantedFen)
    const held = { paidFen, giftFen: wantedFen - paidFen }
    this.#order(order, 'hold', [
      ['memberPaid', this.id, -held.paidFen],
      ['memberPaidHeld', this.id, held.paidFen],
      ['memberGift', this.id, -held.giftFen],
      ['memberGiftHeld', this.id, held.giftFen],
    ])
    this.paidFen -= held.paidFen
    this.giftFen -= held.giftFen
    return held
  }

  release(order: Booked, held: Held): void {
    this.#order(order, 'release', this.#back(held, held))
  }

  /** Pays a bill from what is held; answers of which money. */
  pay(
    order: Booked,
    held: Held,
    bill: { electricityFen: bigint; serviceFen: bigint; occupancyFen: bigint; totalFen: bigint },
  ): Held {
    const paidFen = least(bill.totalFen, held.paidFen)
    const paid = { paidFen, giftFen: bill.totalFen - paidFen }
    const left = { paidFen: held.paidFen - paid.paidFen, giftFen: held.giftFen - paid.giftFen }
    const { siteId } = order.place
    this.#order(order, 'bill', [
      ...this.#back(held, left),
      ['siteElectricity', siteId, bill.electricityFen],
      ['siteService', siteId, bill.serviceFen],
      ['siteOccupancy', siteId, bill.occupancyFen],
    ])
    return paid
  }

  #back(held: Held, left: Held): Line[] {
    this.paidFen += left.paidFen
    this.giftFen += left.giftFen
    return [
      ['memberPaidHeld', this.id, -held.paidFen],
      ['memberGiftHeld', this.id, -held.giftFen],
      ['memberPaid', this.id, left.paidFen],
      ['memberGift', this.id, left.giftFen],
    ]
  }

  #order(order: Booked, kind: 'hold' | 'release' | 'bill', lines: Line[]): void {
    const { id, keyAt, place, atMs, decided } = order
    const who = decided === undefined ? {} : { by: decided.by, memo: decided.why }
    this.#postings.push({ atMs, key: `order/${id}/${kind}`, keyAt, place, kind, ref: id, ...who, lines })
  }
}

/** The ledger takes so many at once. */
const atOnce = 200

/** As they happened. Those of one order are not made at once: which of them came first would not be told. */
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
    const asked = round.map(({ key, keyAt, place, kind, ref, by, memo, lines }) => ({
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
    await client.query('select app.post($1::jsonb)', [JSON.stringify(asked)])
  }
}

export type Ledger = Posting[]
