import type { AccountStatusName } from './account-status.ts'
import type { AttributeValues, DeviceOrder } from './sent.ts'
import type { Reading } from './protocol-table.ts'

/** What devices are told, whatever protocol they speak. message.ts explains the units. */

/** What ends a charge by itself, whoever else may end it. */
export type ChargeLimit = { by: 'full' } | { by: 'duration'; durationS: number } | { by: 'energy'; energyWh: number }

export type StartPortCommand = {
  kind: 'startPort'
  /** 'auto': the one port that has a charger in it. */
  port: number | 'auto'
  orderNo: string
  limit: ChargeLimit
  /** Under a limit of duration or energy, end at a full battery, too. */
  stopWhenFull?: boolean | undefined
  maxDurationS?: number | undefined
  overloadDw?: number | undefined
  /** To be shown or said; the device does not count with it. A YKC pile does, and ends the charge when it is used up. */
  balanceFen?: number | undefined
}

/** Prices of a kilowatt hour, and which of them holds in each half hour of the day, by its place from 0. */
export type SetTariffCommand = {
  kind: 'setTariff'
  modelNo: number
  prices: { energyYuanE5: number; serviceYuanE5: number }[]
  periods: number[]
  /** What is lost between the meter and the car and paid by the customer, in percent. */
  lossPercent: number
}

export type DeviceCommand =
  /** Where the protocol can tell: as soon as nobody charges, or at once when it is forced. */
  | { kind: 'restart'; force?: boolean | undefined }
  /** The device starts no charge until it is restored. */
  | { kind: 'stop' }
  | { kind: 'restore' }
  | StartPortCommand
  /** Only the order that runs is stopped. */
  | { kind: 'stopPort'; port: number; orderNo: string }
  | {
      kind: 'changePort'
      port: number
      limit: Exclude<ChargeLimit, { by: 'full' }>
      stopWhenFull?: boolean | undefined
    }
  /** Makes the device send its register and heartbeat now; with YKC, the report of each port or of one. */
  | { kind: 'query'; port?: number | undefined }
  | { kind: 'readAttributes'; identifiers: string[] }
  | { kind: 'writeAttributes'; values: AttributeValues }
  | { kind: 'setClock'; atS: number }
  | SetTariffCommand
export type CommandKind = DeviceCommand['kind']

/** What an event is answered with: that it has arrived, or what its sender wanted to know. */
export type DeviceAnswer =
  | {
      kind: 'ack'
      order?: DeviceOrder | undefined
      /** Why the record cannot be used; sending it again would not help. */
      bad?: string | undefined
    }
  | {
      kind: 'swipeAnswer'
      card: string
      port?: number | undefined
      account: Reading<AccountStatusName>
      balanceFen: number
      /** YKC: the order that begins with a good account. */
      orderNo?: string | undefined
    }
  | { kind: 'setClock'; atS: number }
