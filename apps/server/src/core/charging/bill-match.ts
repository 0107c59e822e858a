import type { SettlementEvent } from '@wattdeck/device-protocol/message.ts'

/** Clocks of devices, gateways and the database differ, and a device may count from the moment of plugging in. */
const earlyMs = 180_000
/** Longest time between the device's start and its confirmation. */
const lateMs = 120_000
const clockSlackMs = 30_000
const dayMs = 86_400_000
/** A device whose clock was never set counts from 1970 or from 2000. */
const firstClockMs = Date.UTC(2020, 0, 1)

type Bill = Pick<SettlementEvent, 'durationS' | 'deviceTimeS'>
/** The open order at the port of the bill. */
type Running = { atMs: number; startedMs: number | null; reportedS: number | null }

/**
 * Compares a bill without an order number with the open order at its port, by the start time of its charge.
 * 'foreign': the charge began before the order, or reports show a longer charge than the bill. 'unsure': the charge began
 * after the order; the bill may be late or belong to a later charge, so an operator reviews it.
 */
export function matchBill(bill: Bill, receivedMs: number, order: Running): 'own' | 'foreign' | 'unsure' {
  const durationMs = bill.durationS * 1000
  const orderMs = Math.min(order.atMs, order.startedMs ?? order.atMs)
  const endMs = clockOf(bill, receivedMs) ?? receivedMs
  if (endMs < orderMs - clockSlackMs || endMs - durationMs < orderMs - earlyMs) return 'foreign'
  if ((order.reportedS ?? 0) * 1000 > durationMs + earlyMs) return 'foreign'
  return endMs - durationMs > (order.startedMs ?? order.atMs) + lateMs ? 'unsure' : 'own'
}

/** The end by the device's clock. It is not trusted: a time after the arrival is capped at the arrival. */
function clockOf({ deviceTimeS }: Bill, receivedMs: number): number | undefined {
  const ms = (deviceTimeS ?? 0) * 1000
  return ms >= firstClockMs && ms <= receivedMs + dayMs ? Math.min(ms, receivedMs) : undefined
}
