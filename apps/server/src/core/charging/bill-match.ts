import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'

/** Clocks of devices, of gateways and of the database differ, and a device may count from the plug. */
const earlyMs = 180_000
/** A start is confirmed this much after the device began, at most. */
const lateMs = 120_000
const clockSlackMs = 30_000
const dayMs = 86_400_000
/** A device whose clock was never set counts from 1970 or from 2000. */
const firstClockMs = Date.UTC(2020, 0, 1)

type Bill = Pick<SettlementEvent, 'durationS' | 'deviceTimeS'>
/** The order that runs at the port of the bill. */
type Running = { atMs: number; startedMs: number | null; reportedS: number | null }

/**
 * Whether a bill without an order number is of the order that runs at its port, by the time when its charge began.
 * 'foreign': that was before the order, or the charge has gone on for longer than the bill says. 'unsure': that was
 * after the order began; either the bill came late or another charge followed, and a person has to look.
 */
export function matchBill(bill: Bill, receivedMs: number, order: Running): 'own' | 'foreign' | 'unsure' {
  const durationMs = bill.durationS * 1000
  const orderMs = Math.min(order.atMs, order.startedMs ?? order.atMs)
  const endMs = clockOf(bill, receivedMs) ?? receivedMs
  if (endMs < orderMs - clockSlackMs || endMs - durationMs < orderMs - earlyMs) return 'foreign'
  if ((order.reportedS ?? 0) * 1000 > durationMs + earlyMs) return 'foreign'
  return endMs - durationMs > (order.startedMs ?? order.atMs) + lateMs ? 'unsure' : 'own'
}

/** The device's own time of the end. It is only data: never later than the arrival. */
function clockOf({ deviceTimeS }: Bill, receivedMs: number): number | undefined {
  const ms = (deviceTimeS ?? 0) * 1000
  return ms >= firstClockMs && ms <= receivedMs + dayMs ? Math.min(ms, receivedMs) : undefined
}
