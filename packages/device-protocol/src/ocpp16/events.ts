import type { ChargeLimit } from '../command.ts'
import type { PlugReading } from '../plug-status.ts'
import type { Reading } from '../protocol-table.ts'
import type { Sent } from '../sent.ts'
import type { StopReasonName } from '../stop-reason.ts'

/** Events that only chargers for cars have, in the units of message.ts. */

/** What one port is doing now; without a port it is about the whole charge point. */
export type PortStatusEvent = Sent & {
  kind: 'portStatus'
  port?: number | undefined
  status: PlugReading
  /** What the charge point says of it besides, for people to read. */
  info?: string | undefined
}

/**
 * A charge began. Its end will name nothing but the number that the platform gave it here, and what the meter
 * shows then; so this is kept for good before the charge point is answered.
 */
export type StartedEvent = Sent & {
  kind: 'started'
  port: number
  transactionId: number
  meterWh: number
  /** Of the platform's command, or made of the transaction's number when a card began it. */
  orderNo: string
  card?: string | undefined
  /** What the platform's command asked for. The charge point does not know it: the gateway ends the charge. */
  limit?: ChargeLimit | undefined
  maxDurationS?: number | undefined
}

/** A charge ended of whose beginning nobody knows. Kept for good, for a person to look at. */
export type StrayStopEvent = Sent & {
  kind: 'strayStop'
  transactionId: number
  meterWh: number
  stopReason: Reading<StopReasonName>
  card?: string | undefined
}

/** Said for the record; changes nothing. With YKC it has the Chinese name of what was said. */
export type RemarkEvent = Sent & { kind: 'remark'; about: string; text?: string | undefined }
