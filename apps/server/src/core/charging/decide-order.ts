import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import { lastPlausible } from '@wattdeck/domain/plausible-sample.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { post } from '../ledger/ledger.ts'
import { orderTime } from './order-time.ts'
import * as store from './order.store.ts'
import { fundsOf, ownFirst, payerOf, reserveLines } from './payer.ts'
import { paidRival } from './rival-bill.ts'
import {
  billOrder,
  lastReported,
  type Metered,
  meteredOf,
  priceCharge,
  releaseOrder,
  type PricedCharge,
} from './settle-order.ts'

type Order = store.LockedOrder
export type Decided = { by: string; why: string }

/** A possible bill of an order with its basis. `order` includes the reserved money that pays the bill. */
export type Billable = { order: Order; metered: Metered; pricing: PricedCharge; newHold: boolean }
/** A decision that an operator may take: a bill or a release. `problem` states why a bill is impossible. */
export type Option =
  | { choice: 'device' | 'sample'; bill: Billable; problem?: undefined }
  | { choice: 'device' | 'sample'; bill?: undefined; problem: string }
  | { choice: 'release' }

/** The possible decisions about an order in review, each computed only from data that the device reported. */
export async function optionsFor(db: Db, order: Order): Promise<Option[]> {
  const payable = await payableOrder(db, order)
  const settlement = order.settlement as SettlementEvent | null
  const receivedMs = order.endedMs ?? order.atMs
  const device = settlement === null ? undefined : meteredOf(settlement, receivedMs, order)
  return [
    await option(db, 'device', payable, device ?? '没有收到设备账单'),
    await option(db, 'sample', payable, (await lastBelieved(db, order)) ?? '没有可信的上报读数'),
    { choice: 'release' },
  ]
}

type Payable = { order: Order; newHold: boolean; problem?: string }

/** For an order whose reservation was released, the current balance of the wallet can be reserved again. */
async function payableOrder(db: Db, order: Order): Promise<Payable> {
  const payer = payerOf(order)
  if (payer === undefined) return { order, newHold: false, problem: '没有付款人' }
  if (order.siteId === null) return { order, newHold: false, problem: '设备未投放到站点' }
  const rival = await paidRival(db, order)
  if (rival !== undefined) return { order, newHold: false, problem: rival }
  if (order.heldPaidFen + order.heldGiftFen > 0n || neededNoHold(order)) return { order, newHold: false }
  const { paidFen: heldPaidFen, giftFen: heldGiftFen } = await fundsOf(db, order.organiseId, payer)
  const funded = { ...order, heldPaidFen, heldGiftFen }
  return {
    order: funded,
    newHold: true,
    ...(heldPaidFen + heldGiftFen === 0n ? { problem: payer.kind === 'card' ? '储值卡余额为零' : '用户余额为零' } : {}),
  }
}

/** Benefits covered the charge at its start. A late bill belongs to an order whose reservation was released. */
const neededNoHold = ({ benefits, reviewReasons }: Order) =>
  benefits.length > 0 && reviewReasons?.includes('late') !== true

async function option(
  db: Db,
  choice: 'device' | 'sample',
  { order, newHold, problem }: Payable,
  metered: Metered | string,
): Promise<Option> {
  if (typeof metered === 'string') return { choice, problem: metered }
  if (problem !== undefined) return { choice, problem }
  const { bill, ...rest } = await priceCharge(db, order, metered)
  if (bill === undefined) return { choice, problem: '计量数据无法计价' }
  // A reservation of zero is not possible; the operator releases such an order instead.
  if (newHold && bill.totalFen === 0n) return { choice, problem: '应收为零，无需补扣' }
  return { choice, bill: { order, metered, pricing: { ...rest, bill }, newHold } }
}

async function lastBelieved(db: Db, order: Order): Promise<Metered | undefined> {
  const startMs = Math.round(order.startedMs ?? order.atMs)
  const samples = await store.samplesOf(db, order.id)
  const last = lastPlausible(samples, startMs, order.ratedW)
  if (last === undefined) return undefined
  const seen = samples.filter(({ atMs }) => atMs <= last.atMs)
  return {
    durationS: Math.floor((last.atMs - startMs) / 1000),
    energyDwh: last.energyDwh,
    receivedMs: last.atMs,
    peakPowerDw: seen.reduce((most, { powerDw = 0 }) => Math.max(most, powerDw), 0) || null,
    stopReason: null,
    settlement: null,
  }
}

/** The bill of an open order whose device is unreachable, from its last reported reading without any estimate. */
export async function forcedBill(db: Db, order: Order): Promise<Billable> {
  if (payerOf(order) === undefined || order.siteId === null) throw conflict('订单没有付款人，不能结算')
  const metered = lastReported(order)
  const { bill, ...rest } = await priceCharge(db, order, metered)
  if (bill === undefined) throw conflict('计量数据无法计价，不能结算')
  return { order, metered, pricing: { ...rest, bill }, newHold: false }
}

/** Bills the chosen option from the reserved money; after a release the amount is reserved again first. */
export async function billChosen(db: Db, chosen: Billable, decided: Decided): Promise<void> {
  const { metered, pricing, newHold } = chosen
  const order = newHold ? await reserveAgain(db, chosen) : chosen.order
  await billOrder(db, order, metered, pricing, decided)
}

/** Reserves exactly the total of the bill, paid balance first. The key marks the second reservation of the order. */
async function reserveAgain(db: Db, { order, pricing }: Billable): Promise<Order> {
  const { totalFen } = pricing.bill
  const payer = payerOf(order)
  if (payer === undefined) throw new Error(`order ${order.id} has no payer`)
  const reserved = ownFirst({ paidFen: order.heldPaidFen, giftFen: order.heldGiftFen }, totalFen)
  await post(db, [
    {
      key: `order/${order.id}/hold/2`,
      keyAt: orderTime(order.id),
      place: order,
      kind: 'hold',
      ref: order.id,
      lines: reserveLines(payer, reserved),
    },
  ])
  return { ...order, heldPaidFen: reserved.paidFen, heldGiftFen: reserved.giftFen }
}

export async function releaseChosen(db: Db, order: Order, decided: Decided, reason = decided.why): Promise<void> {
  if (!(await releaseOrder(db, order, reason, decided))) throw conflict('订单已处理，请刷新后查看')
}
