import type { AccountStatusName } from './account-status.ts'
import type { AttributeValues, DeviceOrder } from './sent.ts'
import type { Reading } from './protocol-table.ts'

/** Commands to devices, independent of the protocol. message.ts defines the units. */

/** The limit at which a charge ends automatically. */
export type ChargeLimit = { by: 'full' } | { by: 'duration'; durationS: number } | { by: 'energy'; energyWh: number }

export type StartPortCommand = {
  kind: 'startPort'
  /** 'auto': the only port with a plugged-in vehicle. */
  port: number | 'auto'
  orderNo: string
  limit: ChargeLimit
  /** With a duration or energy limit, also end at a full battery. */
  stopWhenFull?: boolean | undefined
  maxDurationS?: number | undefined
  overloadDw?: number | undefined
  /** For display or voice only. A YKC pile ends the charge when it is used up. */
  balanceFen?: number | undefined
}

/** Prices per kWh; `periods` holds, for each half hour of the day, the index of its price. */
export type SetTariffCommand = {
  kind: 'setTariff'
  modelNo: number
  prices: { energyYuanE5: number; serviceYuanE5: number }[]
  periods: number[]
  /** Losses between meter and car that the customer pays, in percent. */
  lossPercent: number
}

export type DeviceCommand =
  /** Where the protocol distinguishes: when no charge is running, or at once with `force`. */
  | { kind: 'restart'; force?: boolean | undefined }
  /** The device starts no charge until it is restored. */
  | { kind: 'stop' }
  | { kind: 'restore' }
  | StartPortCommand
  /** Stops the port only while it charges this order. */
  | { kind: 'stopPort'; port: number; orderNo: string }
  | {
      kind: 'changePort'
      port: number
      limit: Exclude<ChargeLimit, { by: 'full' }>
      stopWhenFull?: boolean | undefined
    }
  /** Requests registration and heartbeat; with YKC, the report of one port or of all. */
  | { kind: 'query'; port?: number | undefined }
  | { kind: 'readAttributes'; identifiers: string[] }
  | { kind: 'writeAttributes'; values: AttributeValues }
  | { kind: 'setClock'; atS: number }
  | SetTariffCommand
export type CommandKind = DeviceCommand['kind']

/** The answer to an event: an acknowledgement, or the requested data. */
export type DeviceAnswer =
  | {
      kind: 'ack'
      order?: DeviceOrder | undefined
      /** Why the record is invalid; a resend would not help. */
      bad?: string | undefined
    }
  | {
      kind: 'swipeAnswer'
      card: string
      port?: number | undefined
      account: Reading<AccountStatusName>
      balanceFen: number
      /** YKC: the order that starts with a good account. */
      orderNo?: string | undefined
    }
  | { kind: 'setClock'; atS: number }
