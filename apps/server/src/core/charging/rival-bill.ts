import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import { raise } from '../devices/alarms/alarm-signal.store.ts'
import { impostor } from '../devices/alarms/alarm-signals.ts'
import type { Db } from '../../kit/db/db.ts'
import * as store from './order.store.ts'
import { addRival, markContradicted, ordersOfNumber } from './rival-bill.store.ts'
import { meteredOf, settleOrder } from './settle-order.ts'

/** Beyond this many bills of one order, only the alarm is raised. */
const maxBills = 5

const figuresOf = ({ energyDwh, energyWh, durationS, amountYuanE4 }: SettlementEvent) =>
  [energyDwh ?? energyWh * 10, durationS, amountYuanE4 ?? ''].join()

/**
 * Handles a bill of a closed order. An identical bill, or a bill after an operator ended the order without one, changes
 * nothing. A contradicting bill becomes a second order in review and raises an alarm.
 */
export async function handleRivalBill(
  db: Db,
  order: store.LockedOrder,
  bill: SettlementEvent,
  atMs: number,
): Promise<void> {
  const orders = await ordersOfNumber(db, order)
  const bills = orders.flatMap(({ settlement }) => (settlement === null ? [] : [settlement as SettlementEvent]))
  if (bills.length === 0 || bills.some((earlier) => figuresOf(earlier) === figuresOf(bill))) return
  const word = `订单 ${order.wireNo} 收到两份不同的账单`
  await raise(db, [impostor(order.deviceId, atMs, word, order.portNo)])
  if (orders.length >= maxBills) return
  const id = await store.newOrderId(db)
  await addRival(db, order, id)
  const rival = await store.lockOrder(db, id)
  if (rival === undefined) throw new Error(`order ${id} was not created`)
  await settleOrder(db, rival, meteredOf(bill, atMs, rival), ['contradicts'])
  await markContradicted(db, order)
}

/** The reason against billing an order: another bill of the same charge was already paid. */
export async function paidRival(db: Db, order: store.LockedOrder): Promise<string | undefined> {
  const paid = (await ordersOfNumber(db, order)).find(({ id, leftFen }) => id !== order.id && BigInt(leftFen) > 0n)
  return paid === undefined ? undefined : `同一次充电已按订单 ${paid.id} 收费，请先退款`
}
