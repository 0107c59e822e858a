import { chargeLimit, orderStatus, type ReviewReason } from '@wattdeck/contract/order/order-codes.ts'
import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import type { StopReasonName } from '@wattdeck/device-protocol/stop-reason.ts'
import { findDoubts } from '@wattdeck/domain/charge-doubts.ts'
import { discountFen } from '@wattdeck/domain/tariff/benefit.ts'
import type { Bill } from '@wattdeck/domain/tariff/bill.ts'
import { price } from '@wattdeck/domain/tariff/price.ts'
import type { TariffRules } from '@wattdeck/domain/tariff/rules.ts'
import { type Usage, usageProblem } from '@wattdeck/domain/tariff/usage.ts'
import { ykcSegmentEnergy } from '@wattdeck/domain/tariff/ykc.ts'
import type { Db } from '../../kit/db/db.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { post } from '../ledger/ledger.ts'
import { closeBenefits } from './benefits.store.ts'
import { endPassUse } from './pass.store.ts'
import { orderTime } from './order-time.ts'
import * as store from './order.store.ts'
import { releaseLines, ownFirst, payerOf } from './payer.ts'
import { subsidiesOf, subsidyLines } from '../ledger/subsidy.ts'

type Order = store.LockedOrder

/** The metered values of a charge and the time when the platform received them. */
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
  /** Energy per price, from a pile that counts it separately. */
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

/** The last report of a charge whose device is unreachable: only reported consumption is billed. */
type Reported = Timed & Pick<Order, 'reportedS' | 'reportedDwh' | 'reportedMs' | 'peakPowerDw'>
export const lastReported = (order: Reported): Metered => ({
  durationS: order.reportedS ?? 0,
  energyDwh: order.reportedDwh ?? 0,
  receivedMs: order.reportedMs ?? order.startedMs ?? order.atMs,
  peakPowerDw: order.peakPowerDw,
  stopReason: null,
  settlement: null,
})

/** `foreign`: the pile counted energy at a price that was never pushed to it. */
type Pricing = { measured: store.Measured; bill: Bill | undefined; foreign: boolean }

/** Prices a charge by the tariff rules of its start, capped at the reserved amount. */
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

/** The metered values as input of the pricing function, without samples. */
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

/** Stop reasons that complete a charge as requested. A package that a fault cut short is not billed in full. */
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
    benefits: order.benefits,
    boughtFen:
      order.limitBy === chargeLimit.code.money && completedAsRequested.has(stopReason)
        ? BigInt(order.limitValue)
        : undefined,
  })

/** The reasons why an operator must review this bill before it is made. */
async function reasonsFor(db: Db, order: Order, metered: Metered, { measured, bill, foreign }: Pricing) {
  const reasons: ReviewReason[] = []
  if (payerOf(order) === undefined) reasons.push('noPayer')
  // A charge that began without the platform has a payer but no reservation; benefits may make one needless. A released
  // order has its own reason.
  else if (
    order.heldPaidFen + order.heldGiftFen === 0n &&
    order.benefits.length === 0 &&
    order.status !== orderStatus.code.released
  )
    reasons.push('notHeld')
  if (order.rules === null) reasons.push('noTariff')
  else if (bill === undefined) reasons.push('badUsage')
  const [start, listFen] = [
    order.startedMs ?? order.atMs,
    // A pile that counts money itself counts list prices.
    bill === undefined ? undefined : bill.totalFen + bill.cappedByFen + discountFen(bill.discounts),
  ]
  reasons.push(
    ...findDoubts({
      energyDwh: metered.energyDwh,
      durationS: metered.durationS,
      elapsedS: Math.ceil((metered.receivedMs - start) / 1000),
      ratedW: order.ratedW,
      meterStartDwh: metered.meterStartDwh,
      meterEndDwh: metered.meterEndDwh,
      reportedDwh: order.reportedDwh ?? undefined,
      deviceFen: metered.deviceFen,
      ourFen: listFen,
    }),
  )
  if (foreign && !reasons.includes('amountDiffers')) reasons.push('amountDiffers')
  if (order.doubts.includes('backwards') && !reasons.includes('backwards')) reasons.push('backwards')
  if (await store.overlapsAnother(db, order, measured.startedMs, measured.endedMs)) reasons.push('overlap')
  return reasons
}

/** A bill within this time after two connections claimed the same device may come from either. */
const contestedMs = 900_000
const isContested = (order: Order, { settlement, receivedMs }: Metered): boolean =>
  settlement !== null &&
  order.contestedMs !== null &&
  receivedMs >= order.contestedMs &&
  receivedMs < order.contestedMs + contestedMs

/** Prices a bill and settles it from the reserved money, or sends the order to review. */
export async function settleOrder(
  db: Db,
  order: Order,
  metered: Metered,
  initialReasons: ReviewReason[] = [],
): Promise<void> {
  const pricing = await priceCharge(db, order, metered)
  const reasons = [...initialReasons, ...(await reasonsFor(db, order, metered, pricing))]
  if (isContested(order, metered)) reasons.push('contested')
  const { stopReason, settlement } = metered
  if (reasons.length > 0 || pricing.bill === undefined) {
    await store.writeDoubt(db, order.id, { reasons, measured: pricing.measured, stopReason, settlement })
    await endPassUse(db, order)
    return publishOrderChange(db, order)
  }
  await billOrder(db, order, metered, { ...pricing, bill: pricing.bill })
}

/** A charge that could be priced. */
export type PricedCharge = Pricing & { bill: Bill }

/** Settles the bill from the reserved money, releases the rest and closes the order. */
export async function billOrder(
  db: Db,
  order: Order,
  { stopReason, settlement }: Metered,
  { measured, bill }: PricedCharge,
  decided?: { by: string; why: string },
): Promise<void> {
  const { siteId } = order
  const payer = payerOf(order)
  if (payer === undefined || siteId === null) throw new Error(`order ${order.id} has no payer or no site`)
  const { totalFen } = bill
  // The paid balance is used first, because gift money is never refunded. Both remainders return to their accounts.
  const reserved = { paidFen: order.heldPaidFen, giftFen: order.heldGiftFen }
  const { paidFen, giftFen } = ownFirst(reserved, totalFen)
  const subsidies = subsidiesOf(bill.discounts)
  const subsidyFen = subsidies.reduce((sum, { shareFen }) => sum + shareFen, 0n)
  const done = await store.writeBill(db, order.id, {
    measured,
    bill,
    subsidyFen,
    paidFen,
    giftFen,
    held: reserved,
    stopReason,
    settlement,
    decided,
  })
  if (!done) throw new Error(`order ${order.id} can no longer be billed`)
  const lines = [
    ...releaseLines(payer, reserved, { paidFen: reserved.paidFen - paidFen, giftFen: reserved.giftFen - giftFen }),
    { account: 'siteElectricity' as const, owner: siteId, fen: bill.electricityFen },
    { account: 'siteService' as const, owner: siteId, fen: bill.serviceFen },
    { account: 'siteOccupancy' as const, owner: siteId, fen: bill.occupancyFen },
    ...subsidyLines(siteId, subsidies),
  ]
  // A charge that benefits cover in full, at the cost of its own site, moves no money.
  if (lines.some(({ fen }) => fen !== 0n))
    await post(db, [
      {
        key: `order/${order.id}/bill`,
        keyAt: orderTime(order.id),
        place: order,
        kind: 'bill',
        ref: order.id,
        ...(decided === undefined ? {} : { by: decided.by, memo: decided.why }),
        lines,
      },
    ])
  await closeBenefits(db, order, bill.discounts)
  // Payments by card appear in the statement of the card.
  if (payer.kind === 'member') await store.countConsumption(db, order, totalFen)
  await publishOrderChange(db, order)
}

/** Closes the order without a bill and releases the full reservation. */
export async function releaseOrder(
  db: Db,
  order: Order,
  reason: string,
  decided?: { by: string; why: string },
): Promise<boolean> {
  if (!(await store.writeRelease(db, order.id, { reason, decided }))) return false
  await closeBenefits(db, order, [])
  const reserved = { paidFen: order.heldPaidFen, giftFen: order.heldGiftFen }
  const payer = payerOf(order)
  if (payer !== undefined && reserved.paidFen + reserved.giftFen > 0n)
    await post(db, [
      {
        key: `order/${order.id}/release`,
        keyAt: orderTime(order.id),
        place: order,
        kind: 'release',
        ref: order.id,
        ...(decided === undefined ? {} : { by: decided.by, memo: decided.why }),
        lines: releaseLines(payer, reserved, reserved),
      },
    ])
  await publishOrderChange(db, order)
  return true
}

/** Publishes the change to open lists of orders. */
export const publishOrderChange = (db: Db, { organiseId, agentId, siteId }: Order): Promise<void> =>
  publishToOrganisation(
    db,
    { organise_id: organiseId, agent_id: agentId, site_id: siteId },
    { kind: 'changed', list: 'order' },
  )
