import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'
import { raise } from '../devices/alarms/alarm-signal.store.ts'
import { impostor } from '../devices/alarms/alarm-signals.ts'
import type { Db } from '../../kit/db/db.ts'
import * as store from './order.store.ts'
import { addRival, markContradicted, ordersOfNumber } from './rival-bill.store.ts'
import { meteredOf, settleOrder } from './settle-order.ts'

/** Beyond so many bills of one order, the alarm says enough. */
const maxBills = 5

const figuresOf = ({ energyDwh, energyWh, durationS, amountYuanE4 }: SettlementEvent) =>
  [energyDwh ?? energyWh * 10, durationS, amountYuanE4 ?? ''].join()

/**
 * A bill of an order that is over. One that says the same, or comes after a person ended the order without a bill,
 * changes nothing. Any other contradicts: it becomes an order in review beside the first, and an alarm.
 */
export async function keepRival(db: Db, order: store.LockedOrder, bill: SettlementEvent, atMs: number): Promise<void> {
  const orders = await ordersOfNumber(db, order)
  const bills = orders.flatMap(({ settlement }) => (settlement === null ? [] : [settlement as SettlementEvent]))
  if (bills.length === 0 || bills.some((known) => figuresOf(known) === figuresOf(bill))) return
  const word = `订单 ${order.wireNo} 收到两份不同的账单`
  await raise(db, [impostor(order.deviceId, atMs, word, order.portNo)])
  if (orders.length >= maxBills) return
  const id = await store.newOrderId(db)
  await addRival(db, order, id)
  const rival = await store.lockOrder(db, id)
  if (rival === undefined) throw new Error(`order ${id} was not made`)
  await settleOrder(db, rival, meteredOf(bill, atMs, rival), ['contradicts'])
  await markContradicted(db, order)
}

/** Why an order must not be billed: another bill of the same charge was paid. */
export async function paidRival(db: Db, order: store.LockedOrder): Promise<string | undefined> {
  const paid = (await ordersOfNumber(db, order)).find(({ id, leftFen }) => id !== order.id && BigInt(leftFen) > 0n)
  return paid === undefined ? undefined : `同一次充电已按订单 ${paid.id} 收费，请先退款`
}
