import type { ChargeLimit } from '../command.ts'
import type { PlugReading } from '../plug-status.ts'
import type { Reading } from '../protocol-table.ts'
import type { Sent } from '../sent.ts'
import type { StopReasonName } from '../stop-reason.ts'

/** Events of car chargers only, in the units of message.ts. */

/** Current status of a port; without a port, of the whole charge point. */
export type PortStatusEvent = Sent & {
  kind: 'portStatus'
  port?: number | undefined
  status: PlugReading
  /** Further text of the charge point, for display. */
  info?: string | undefined
}

/**
 * The start of a charge. Its end names only the transaction number and the meter value, so the start is committed
 * before the charge point is answered.
 */
export type StartedEvent = Sent & {
  kind: 'started'
  port: number
  transactionId: number
  meterWh: number
  /** From the platform's command, or derived from the transaction number when a card started the charge. */
  orderNo: string
  card?: string | undefined
  /** Limit of the platform's command. The charge point does not receive it: the gateway stops the charge. */
  limit?: ChargeLimit | undefined
  maxDurationS?: number | undefined
}

/** The end of a charge without a known start. Stored permanently for manual review. */
export type StrayStopEvent = Sent & {
  kind: 'strayStop'
  transactionId: number
  meterWh: number
  stopReason: Reading<StopReasonName>
  card?: string | undefined
}

/** Informational, changes nothing. With YKC, `about` is the Chinese name of the message. */
export type RemarkEvent = Sent & { kind: 'remark'; about: string; text?: string | undefined }
