import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import { lastPlausible } from '@wattdeck/domain/plausible-sample.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/refusal.ts'
import { post } from '../ledger/ledger.ts'
import { orderTime } from './order-time.ts'
import * as store from './order.store.ts'
import { fundsOf, ownFirst, payerOf, putAside } from './payer.ts'
import { paidRival } from './rival-bill.ts'
import {
  billOrder,
  lastHeard,
  type Metered,
  meteredOf,
  priceCharge,
  releaseOrder,
  type PricedCharge,
} from './settle-order.ts'

type Order = store.LockedOrder
export type Decided = { by: string; why: string }

/** A bill that can be made of an order, with what it rests on. `order` is the order with the money that it is paid from. */
export type Billable = { order: Order; metered: Metered; pricing: PricedCharge; newHold: boolean }
/** What a person may decide: a bill or none. One that cannot be made says why. */
export type Option =
  | { choice: 'device' | 'sample'; bill: Billable; problem?: undefined }
  | { choice: 'device' | 'sample'; bill?: undefined; problem: string }
  | { choice: 'release' }

/** What can be decided about an order in review, each worked out from what the device said and from nothing else. */
export async function optionsFor(db: Db, order: Order): Promise<Option[]> {
  const payable = await payableOrder(db, order)
  const said = order.settlement as SettlementEvent | null
  const receivedMs = order.endedMs ?? order.atMs
  const device = said === null ? undefined : meteredOf(said, receivedMs, order)
  return [
    await option(db, 'device', payable, device ?? '没有收到设备账单'),
    await option(db, 'sample', payable, (await lastBelieved(db, order)) ?? '没有可信的上报读数'),
    { choice: 'release' },
  ]
}

type Payable = { order: Order; newHold: boolean; problem?: string }

/** Of one whose money was given back, what the wallet holds now is what can be put aside again. */
async function payableOrder(db: Db, order: Order): Promise<Payable> {
  const payer = payerOf(order)
  if (payer === undefined) return { order, newHold: false, problem: '没有付款人' }
  if (order.siteId === null) return { order, newHold: false, problem: '设备未投放到站点' }
  const rival = await paidRival(db, order)
  if (rival !== undefined) return { order, newHold: false, problem: rival }
  if (order.heldPaidFen + order.heldGiftFen > 0n) return { order, newHold: false }
  const { paidFen: heldPaidFen, giftFen: heldGiftFen } = await fundsOf(db, order.organiseId, payer)
  const funded = { ...order, heldPaidFen, heldGiftFen }
  return {
    order: funded,
    newHold: true,
    ...(heldPaidFen + heldGiftFen === 0n ? { problem: payer.kind === 'card' ? '储值卡余额为零' : '用户余额为零' } : {}),
  }
}

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
  // A hold of nothing is none; such a charge is released instead.
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

/** What an open order whose device is gone would be billed: by the last that was heard, and by nothing that is assumed. */
export async function forcedBill(db: Db, order: Order): Promise<Billable> {
  if (payerOf(order) === undefined || order.siteId === null) throw conflict('订单没有付款人，不能结算')
  const metered = lastHeard(order)
  const { bill, ...rest } = await priceCharge(db, order, metered)
  if (bill === undefined) throw conflict('计量数据无法计价，不能结算')
  return { order, metered, pricing: { ...rest, bill }, newHold: false }
}

/** Bills what was chosen, from the money put aside or, where that went back, from what is put aside now. */
export async function billChosen(db: Db, chosen: Billable, decided: Decided): Promise<void> {
  const { metered, pricing, newHold } = chosen
  const order = newHold ? await holdAgain(db, chosen) : chosen.order
  await billOrder(db, order, metered, pricing, decided)
}

/** Exactly the bill, own money first. The key says that it is the second time. */
async function holdAgain(db: Db, { order, pricing }: Billable): Promise<Order> {
  const { totalFen } = pricing.bill
  const payer = payerOf(order)
  if (payer === undefined) throw new Error(`order ${order.id} has nobody to pay it`)
  const held = ownFirst({ paidFen: order.heldPaidFen, giftFen: order.heldGiftFen }, totalFen)
  await post(db, [
    {
      key: `order/${order.id}/hold/2`,
      keyAt: orderTime(order.id),
      place: order,
      kind: 'hold',
      ref: order.id,
      lines: putAside(payer, held),
    },
  ])
  return { ...order, heldPaidFen: held.paidFen, heldGiftFen: held.giftFen }
}

/** Nothing is billed. */
export async function releaseChosen(db: Db, order: Order, decided: Decided, reason = decided.why): Promise<void> {
  if (!(await releaseOrder(db, order, reason, decided))) throw conflict('订单已处理，请刷新后查看')
}
