import { chargeLimit, orderStatus, type ReviewReason } from '@wattdeck/contract/order/order-codes.ts'
import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import type { StopReasonName } from '@wattdeck/device-protocol/stop-reason.ts'
import { doubtsOf } from '@wattdeck/domain/charge-doubts.ts'
import type { Bill } from '@wattdeck/domain/tariff/bill.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { type Usage, usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { ykcSegmentEnergy } from '@wattdeck/domain/tariff/ykc.ts'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { post } from '../ledger/ledger.ts'
import { orderTime } from './order-time.ts'
import * as store from './order.store.ts'
import { givenBack, ownFirst, payerOf } from './payer.ts'

type Order = store.LockedOrder

/** What a device counted of a charge, and when we heard of it. */
export type Metered = {
  durationS: number
  energyDwh: number
  receivedMs: number
  peakPowerDw: number | null
  occupiedMin?: number | undefined
  stopReason: string | null
  settlement: object | null
  deviceFen?: bigint | undefined
  meterStartDwh?: number | undefined
  meterEndDwh?: number | undefined
  /** Of a pile that counts at each of its prices. */
  byPriceDwh?: number[] | undefined
}

const yuanE4ToFen = (yuanE4: number) => BigInt(Math.round(yuanE4 / 100))

export const meteredOf = (event: SettlementEvent, receivedMs: number, order: Order): Metered => ({
  durationS: event.durationS,
  energyDwh: event.energyDwh ?? event.energyWh * 10,
  receivedMs,
  peakPowerDw: Math.max(event.maxPowerDw ?? 0, order.peakPowerDw ?? 0) || null,
  occupiedMin: event.occupiedMin,
  stopReason: event.stopReason.name,
  settlement: event,
  deviceFen: event.amountYuanE4 === undefined ? undefined : yuanE4ToFen(event.amountYuanE4),
  meterStartDwh: event.meterStartDwh,
  meterEndDwh: event.meterEndDwh,
  byPriceDwh: event.byPrice?.map(({ energyDwh }) => energyDwh),
})

/** The last that was heard of a charge whose device is gone: nobody pays for more than was seen. */
type Reported = Timed & Pick<Order, 'reportedS' | 'reportedDwh' | 'reportedMs' | 'peakPowerDw'>
export const lastHeard = (order: Reported): Metered => ({
  durationS: order.reportedS ?? 0,
  energyDwh: order.reportedDwh ?? 0,
  receivedMs: order.reportedMs ?? order.startedMs ?? order.atMs,
  peakPowerDw: order.peakPowerDw,
  stopReason: null,
  settlement: null,
})

/** `foreign`: the pile counted at a price that it was never told. */
type Pricing = { measured: store.Measured; bill: Bill | undefined; foreign: boolean }

/** What a charge costs by the rules it began under, and no more than was put aside. */
export async function priceCharge(db: Db, order: Order, metered: Metered): Promise<Pricing> {
  const measured = measuredOf(order, metered)
  const { rules } = order
  const span = { startMs: measured.startedMs, endMs: measured.endedMs }
  const counted = rules === null || metered.byPriceDwh === undefined ? undefined : metered.byPriceDwh
  const segmentEnergyDwh = rules === null || counted === undefined ? undefined : ykcSegmentEnergy(rules, span, counted)
  const samples = await store.samplesOf(db, order.id)
  const usage: Usage = { ...usageOf(order, metered), segmentEnergyDwh, samples }
  const fit = rules !== null && usageProblem(usage) === undefined
  return {
    measured,
    bill: fit ? billOf(order, rules, usage, metered.stopReason) : undefined,
    foreign: counted !== undefined && segmentEnergyDwh === undefined,
  }
}

type Timed = Pick<Order, 'startedMs' | 'atMs'>

const measuredOf = (order: Timed, metered: Metered): store.Measured => {
  const startedMs = Math.round(order.startedMs ?? Math.max(order.atMs, metered.receivedMs - metered.durationS * 1000))
  return {
    startedMs,
    endedMs: startedMs + Math.max(0, metered.durationS) * 1000,
    durationS: metered.durationS,
    energyDwh: metered.energyDwh,
    peakPowerDw: metered.peakPowerDw,
  }
}

/** What was metered as the price knows it, without the readings on the way. */
export function usageOf(order: Timed, metered: Metered): Usage {
  const { startedMs, endedMs, durationS, energyDwh, peakPowerDw } = measuredOf(order, metered)
  return {
    startMs: startedMs,
    endMs: endedMs,
    durationS,
    energyDwh,
    peakPowerDw: peakPowerDw ?? undefined,
    occupiedMin: metered.occupiedMin,
  }
}

/** Ended by the person or as it was asked for. Whom a fault has cut off does not pay for the rest of a package. */
const completedAsRequested: ReadonlySet<string | null> = new Set<StopReasonName>([
  'full',
  'maxDuration',
  'presetDuration',
  'presetEnergy',
  'presetAmount',
  'unplugged',
  'remote',
  'localStop',
  'cardStop',
])
const billOf = (order: Order, rules: TariffRules, usage: Usage, stopReason: string | null): Bill =>
  price(rules, usage, {
    heldFen: order.heldPaidFen + order.heldGiftFen,
    boughtFen:
      order.limitBy === chargeLimit.code.money && completedAsRequested.has(stopReason)
        ? BigInt(order.limitValue)
        : undefined,
  })

/** Why this bill must not be made before a person has looked. */
async function reasonsFor(db: Db, order: Order, metered: Metered, { measured, bill, foreign }: Pricing) {
  const reasons: ReviewReason[] = []
  if (payerOf(order) === undefined) reasons.push('noPayer')
  // A charge that began without us: who pays is known, and nothing was put aside. One that went back has its own reason.
  else if (order.heldPaidFen + order.heldGiftFen === 0n && order.status !== orderStatus.code.released)
    reasons.push('notHeld')
  if (order.rules === null) reasons.push('noTariff')
  else if (bill === undefined) reasons.push('badUsage')
  const [start, uncapped] = [
    order.startedMs ?? order.atMs,
    bill === undefined ? undefined : bill.totalFen + bill.cappedByFen,
  ]
  reasons.push(
    ...doubtsOf({
      energyDwh: metered.energyDwh,
      durationS: metered.durationS,
      elapsedS: Math.ceil((metered.receivedMs - start) / 1000),
      ratedW: order.ratedW,
      meterStartDwh: metered.meterStartDwh,
      meterEndDwh: metered.meterEndDwh,
      reportedDwh: order.reportedDwh ?? undefined,
      deviceFen: metered.deviceFen,
      ourFen: uncapped,
    }),
  )
  if (foreign && !reasons.includes('amountDiffers')) reasons.push('amountDiffers')
  if (order.doubts.includes('backwards') && !reasons.includes('backwards')) reasons.push('backwards')
  if (await store.overlapsAnother(db, order, measured.startedMs, measured.endedMs)) reasons.push('overlap')
  return reasons
}

/** Bills that come so soon after two lines claimed their device may be of either. */
const contestedMs = 900_000
const isContested = (order: Order, { settlement, receivedMs }: Metered): boolean =>
  settlement !== null &&
  order.contestedMs !== null &&
  receivedMs >= order.contestedMs &&
  receivedMs < order.contestedMs + contestedMs

/** A bill came: it is believed, priced and paid from what was put aside; or it waits for a person. */
export async function settleOrder(db: Db, order: Order, metered: Metered, known: ReviewReason[] = []): Promise<void> {
  const pricing = await priceCharge(db, order, metered)
  const reasons = [...known, ...(await reasonsFor(db, order, metered, pricing))]
  if (isContested(order, metered)) reasons.push('contested')
  const { stopReason, settlement } = metered
  if (reasons.length > 0 || pricing.bill === undefined) {
    await store.writeDoubt(db, order.id, { reasons, measured: pricing.measured, stopReason, settlement })
    return tellLists(db, order)
  }
  await billOrder(db, order, metered, { ...pricing, bill: pricing.bill })
}

/** That it could be priced. */
export type PricedCharge = Pricing & { bill: Bill }

/** Takes what the bill says from what was put aside, gives the rest back, and the order is over. */
export async function billOrder(
  db: Db,
  order: Order,
  { stopReason, settlement }: Metered,
  { measured, bill }: PricedCharge,
  decided?: { by: string; why: string },
): Promise<void> {
  const { siteId } = order
  const payer = payerOf(order)
  if (payer === undefined || siteId === null)
    throw new Error(`order ${order.id} has nobody to pay it or nobody to be paid`)
  const { totalFen } = bill
  // Own money is used first: what was given is never paid out, and what is left of either goes back where it came from.
  const held = { paidFen: order.heldPaidFen, giftFen: order.heldGiftFen }
  const { paidFen, giftFen } = ownFirst(held, totalFen)
  const done = await store.writeBill(db, order.id, {
    measured,
    bill,
    paidFen,
    giftFen,
    held,
    stopReason,
    settlement,
    decided,
  })
  if (!done) throw new Error(`order ${order.id} cannot be billed any more`)
  await post(db, [
    {
      key: `order/${order.id}/bill`,
      keyAt: orderTime(order.id),
      place: order,
      kind: 'bill',
      ref: order.id,
      ...(decided === undefined ? {} : { by: decided.by, memo: decided.why }),
      lines: [
        ...givenBack(payer, held, { paidFen: held.paidFen - paidFen, giftFen: held.giftFen - giftFen }),
        { account: 'siteElectricity', owner: siteId, fen: bill.electricityFen },
        { account: 'siteService', owner: siteId, fen: bill.serviceFen },
        { account: 'siteOccupancy', owner: siteId, fen: bill.occupancyFen },
      ],
    },
  ])
  // What a card pays stands in the card's own statement.
  if (payer.kind === 'member') await store.countConsumption(db, order, totalFen)
  await tellLists(db, order)
}

/** Nothing is billed; all that was put aside goes back. */
export async function releaseOrder(
  db: Db,
  order: Order,
  reason: string,
  decided?: { by: string; why: string },
): Promise<boolean> {
  if (!(await store.writeRelease(db, order.id, { reason, decided }))) return false
  const held = { paidFen: order.heldPaidFen, giftFen: order.heldGiftFen }
  const payer = payerOf(order)
  if (payer !== undefined && held.paidFen + held.giftFen > 0n)
    await post(db, [
      {
        key: `order/${order.id}/release`,
        keyAt: orderTime(order.id),
        place: order,
        kind: 'release',
        ref: order.id,
        ...(decided === undefined ? {} : { by: decided.by, memo: decided.why }),
        lines: givenBack(payer, held, held),
      },
    ])
  await tellLists(db, order)
  return true
}

/** Whoever looks at a list of orders sees that one has moved on. */
export const tellLists = (db: Db, { organiseId, agentId, siteId }: Order): Promise<void> =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: agentId, site_id: siteId },
    { kind: 'changed', list: 'order' },
  )
