import { whenOffline } from '@wattdeck/contract/product/device-command.ts'
import { orderStatus, type ReviewReason, startMode } from '@wattdeck/contract/order/order-codes.ts'
import type { DeviceEvent } from '@wattdeck/device-protocol/message.ts'
import { sql } from 'kysely'
import { raise } from '../devices/alarms/alarm-signal.store.ts'
import { impostor } from '../devices/alarms/alarm-signals.ts'
import { giveCommand } from '../devices/command.store.ts'
import type { Db } from '../../kit/db/db.ts'
import { matchBill } from './bill-match.ts'
import type { ChargeEvent } from './charge-queue.store.ts'
import { hasGapBefore } from './message-gap.store.ts'
import * as store from './order.store.ts'
import { keepRival } from './rival-bill.ts'
import { meteredOf, settleOrder } from './settle-order.ts'
import { beginUnasked, keepUnknown } from './unasked-charge.ts'

/** 'early': messages that the device sent before it may still arrive. */
type Applied = 'done' | 'early'

/** Moves an order on by what its device said. */
export async function applyEvent(db: Db, event: ChargeEvent): Promise<Applied> {
  const { deviceId, kind, content, atMs } = event
  const said = content as DeviceEvent
  if (said.kind === 'settlement') return settle(db, event, said)
  if (said.kind === 'started') await confirm(db, deviceId, said, atMs)
  else if (said.kind === 'offlineStart') await beginUnasked(db, deviceId, said, atMs)
  else if (kind === 'stray') await stopStray(db, deviceId, content as Stray, atMs)
  return 'done'
}
type Stray = { port: number; orderNo: string }
type Settlement = Extract<DeviceEvent, { kind: 'settlement' }>
type Started = Extract<DeviceEvent, { kind: 'started' }>

/** A test that nobody pays for begins with 9 and has one digit more than an order. */
const isTest = (orderNo: string | undefined) => orderNo !== undefined && /^9\d{18}$/.test(orderNo)

async function settle(db: Db, { deviceId, atMs, ord, isFresh }: ChargeEvent, bill: Settlement): Promise<Applied> {
  if (isTest(bill.orderNo)) return 'done'
  const order = await findOrder(db, deviceId, bill)
  const match = order !== undefined && bill.orderNo === undefined ? matchBill(bill, atMs, order) : 'own'
  if (order === undefined || match === 'foreign') {
    // Two workers take messages in: the start of the same charge may be committed after its bill.
    if (bill.orderNo !== undefined && isFresh) return 'early'
    await keepUnknown(db, deviceId, bill, atMs)
    return 'done'
  }
  const { billed, review, released } = orderStatus.code
  if (order.status === billed || order.status === review) {
    await keepRival(db, order, bill, atMs)
    return 'done'
  }
  if (isFresh && order.adapter === 'mqtt-json' && (await hasGapBefore(db, deviceId, { ord, atMs }))) return 'early'
  const known: ReviewReason[] = order.status === released ? ['late'] : []
  if (match === 'unsure') known.push('noNumber')
  await settleOrder(db, order, meteredOf(bill, atMs, order), known)
  return 'done'
}

/** By the number of the bill; without one, the order that runs at its port. */
async function findOrder(db: Db, deviceId: string, { orderNo, port }: Settlement) {
  const said = orderNo === undefined ? { portNo: port } : { wireNo: orderNo }
  const id = await store.findOrder(db, deviceId, said)
  return id === undefined ? undefined : store.lockOrder(db, id)
}

const modeOf = ({ card }: Started) => startMode.code[card === undefined ? 'offline' : 'card']

async function confirm(db: Db, deviceId: string, event: Started, atMs: number): Promise<void> {
  const { orderNo: wireNo } = event
  if (isTest(wireNo)) return
  const id = await store.findOrder(db, deviceId, { wireNo })
  if (id !== undefined) await store.confirmOrder(db, id, atMs)
  else await beginUnasked(db, deviceId, { ...event, startMode: modeOf(event) }, atMs)
}

/** A report may be on its way when the bill comes. */
const lateReportS = 30

/**
 * It charges for an order that is over, so it is stopped. One whose money was given back, or that a person has ended, at
 * once. One that has its bill goes on although its device said that it had ended: then somebody else sent that bill.
 */
async function stopStray(db: Db, deviceId: string, stray: Stray, atMs: number): Promise<void> {
  const { port, orderNo } = stray
  if (isTest(orderNo)) return
  const id = await store.findOrder(db, deviceId, { wireNo: orderNo })
  const order = id === undefined ? undefined : await store.lockOrder(db, id)
  if (order === undefined || order.open) return
  const { billed, review, released } = orderStatus.code
  // A person may have ended an order by force whose device was away and comes back charging.
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
  const [found] = rows
  if (found === undefined || (await store.isStopping(db, order.id))) return
  if (found.hasBill)
    await raise(db, [impostor(deviceId, atMs, `订单 ${orderNo} 已有账单，设备仍在充电，已下发停止`, port)])
  const commandId = await giveCommand(db, {
    deviceId,
    command: { kind: 'stopPort', port, orderNo },
    whenOffline: whenOffline.code.fail,
    livesS: 60,
    by: { userId: null, name: '系统' },
  })
  await sql`update charging_order set stop_command_id = ${commandId ?? null} where id = ${order.id}`.execute(db)
}
