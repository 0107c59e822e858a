import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { orderStatus, type ReviewReason, startMode } from '@wattdeck/contract/order/order-codes.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import { raise } from '../devices/alarms/alarm-signal.store.ts'
import { impostor } from '../devices/alarms/alarm-signals.ts'
import { enqueueCommand } from '../devices/command.store.ts'
import type { Db } from '../../kit/db/db.ts'
import { matchBill } from './bill-match.ts'
import type { ChargeEvent } from './charge-queue.store.ts'
import { hasGapBefore } from './message-gap.store.ts'
import * as store from './order.store.ts'
import { handleRivalBill } from './rival-bill.ts'
import { meteredOf, settleOrder } from './settle-order.ts'
import { adoptStartedCharge, storeUnknownBill } from './adopted-charge.ts'

/** 'early': earlier messages of the device may still arrive. */
type Applied = 'done' | 'early'

/** Applies an event of a device to its order. */
export async function applyEvent(db: Db, event: ChargeEvent): Promise<Applied> {
  const { deviceId, kind, content, atMs } = event
  const deviceEvent = content as DeviceEvent
  if (deviceEvent.kind === 'settlement') return settle(db, event, deviceEvent)
  if (deviceEvent.kind === 'started') await confirm(db, deviceId, deviceEvent, atMs)
  else if (deviceEvent.kind === 'offlineStart') await adoptStartedCharge(db, deviceId, deviceEvent, atMs)
  else if (kind === 'stray') await stopStray(db, deviceId, content as Stray, atMs)
  return 'done'
}
type Stray = { port: number; orderNo: string }
type Settlement = Extract<DeviceEvent, { kind: 'settlement' }>
type Started = Extract<DeviceEvent, { kind: 'started' }>

/** The number of a free test charge begins with 9 and has one digit more than an order number. */
const isTest = (orderNo: string | undefined) => orderNo !== undefined && /^9\d{18}$/.test(orderNo)

async function settle(db: Db, { deviceId, atMs, ord, isFresh }: ChargeEvent, bill: Settlement): Promise<Applied> {
  if (isTest(bill.orderNo)) return 'done'
  const order = await findOrder(db, deviceId, bill)
  const match = order !== undefined && bill.orderNo === undefined ? matchBill(bill, atMs, order) : 'own'
  if (order === undefined || match === 'foreign') {
    // Several workers consume messages, so the start of a charge may be committed after its bill.
    if (bill.orderNo !== undefined && isFresh) return 'early'
    await storeUnknownBill(db, deviceId, bill, atMs)
    return 'done'
  }
  const { billed, review, released } = orderStatus.code
  if (order.status === billed || order.status === review) {
    await handleRivalBill(db, order, bill, atMs)
    return 'done'
  }
  if (isFresh && order.adapter === 'mqtt-json' && (await hasGapBefore(db, deviceId, { ord, atMs }))) return 'early'
  const reasons: ReviewReason[] = order.status === released ? ['late'] : []
  if (match === 'unsure') reasons.push('noNumber')
  await settleOrder(db, order, meteredOf(bill, atMs, order), reasons)
  return 'done'
}

/** Finds the order by the number of the bill; without a number, the open order at its port. */
async function findOrder(db: Db, deviceId: string, { orderNo, port }: Settlement) {
  const reference = orderNo === undefined ? { portNo: port } : { wireNo: orderNo }
  const id = await store.findOrder(db, deviceId, reference)
  return id === undefined ? undefined : store.lockOrder(db, id)
}

const modeOf = ({ card }: Started) => startMode.code[card === undefined ? 'offline' : 'card']

async function confirm(db: Db, deviceId: string, event: Started, atMs: number): Promise<void> {
  const { orderNo: wireNo } = event
  if (isTest(wireNo)) return
  const id = await store.findOrder(db, deviceId, { wireNo })
  if (id !== undefined) await store.confirmOrder(db, id, atMs)
  else await adoptStartedCharge(db, deviceId, { ...event, startMode: modeOf(event) }, atMs)
}

/** A report may still be in transit when the bill arrives. */
const lateReportS = 30

/**
 * Stops a port that charges for a closed order. A released order, or one that an operator ended, is stopped at once. An
 * order with a bill is stopped after `lateReportS` with an alarm, because an impostor may have sent that bill.
 */
async function stopStray(db: Db, deviceId: string, stray: Stray, atMs: number): Promise<void> {
  const { port, orderNo } = stray
  if (isTest(orderNo)) return
  const id = await store.findOrder(db, deviceId, { wireNo: orderNo })
  const order = id === undefined ? undefined : await store.lockOrder(db, id)
  if (order === undefined || order.open) return
  const { billed, review, released } = orderStatus.code
  // An operator may have force-ended an order whose device was offline and reconnects while charging.
  const { rows } = await sql<{ hasBill: boolean }>`
    select settlement is not null and decided_by is null as "hasBill"
    from charging_order
    where id = ${order.id}
      and (
        (stop_command_id is null and (status = ${released} or decided_by is not null))
        or (
          status = any(${[billed, review]}::smallint[])
          and settlement is not null
          and coalesce(settled_at, ended_at) + make_interval(secs => ${lateReportS}) < to_timestamp(${atMs / 1000})
        )
      )`.execute(db)
  const [row] = rows
  if (row === undefined || (await store.isStopping(db, order.id))) return
  if (row.hasBill)
    await raise(db, [impostor(deviceId, atMs, `订单 ${orderNo} 已有账单，设备仍在充电，已下发停止`, port)])
  const commandId = await enqueueCommand(db, {
    deviceId,
    command: { kind: 'stopPort', port, orderNo },
    whenOffline: whenOffline.code.fail,
    livesS: 60,
    by: { userId: null, name: '系统' },
  })
  await sql`update charging_order set stop_command_id = ${commandId ?? null} where id = ${order.id}`.execute(db)
}
