import type { AlarmName } from './alarm-kind.ts'
import type { PortStatusEvent, RemarkEvent, StartedEvent, StrayStopEvent } from './ocpp16/events.ts'
import type { PlugReading } from './plug-status.ts'
import type { Reading } from './protocol-table.ts'
import type { RefusalName } from './refusal.ts'
import type { AttributeValues, Sent } from './sent.ts'
import type { StartModeName } from './start-mode.ts'
import type { StopReasonName } from './stop-reason.ts'

/**
 * What devices say and are told, whatever protocol they speak. All numbers are integers and carry their unit last: S
 * seconds, Min minutes, Wh watt hours, Dwh 0.1 Wh, Dw 0.1 W, Dv 0.1 V, Ma 0.001 A, C degrees Celsius, Fen 0.01 yuan,
 * YuanE4 0.0001 yuan, YuanE5 0.00001 yuan. Ports count from 1. A field that is undefined was not sent. Device clocks are
 * only data: nothing is ordered or billed by them.
 */

/** After a start, or when one of these facts has changed. */
export type RegisterEvent = Sent & {
  kind: 'register'
  /** As people write it: '1.26'. OCPP lets a charge point keep it to itself. */
  firmware?: string | undefined
  portCount: number
  /** The maker's name of the model; with DNY the device type as two hex digits, with YKC 'DC' or 'AC'. */
  model?: string | undefined
  powerBoardFirmware?: string | undefined
  /** DNY: the address behind a host, and the bits of the work mode (bit 0: cards only, no network). */
  subAddress?: number | undefined
  workMode?: number | undefined
  /** YKC: '1.5'. */
  protocolVersion?: string | undefined
} & SimFacts

export type SimFacts = {
  iccid?: string | undefined
  imei?: string | undefined
  /** Signal of the mobile network, 0 to 31; 99 is unknown. A few DNY modems send 100 to 197 on a scale of their own. */
  csq?: number | undefined
}

/** The device lives. */
export type HeartbeatEvent = Sent & {
  kind: 'heartbeat'
  /** The first is port 1. None with OCPP and YKC, whose ports each speak for themselves. */
  ports: PlugReading[]
  /** YKC: the gun that lives. */
  port?: number | undefined
  voltageDv?: number | undefined
  temperatureC?: number | undefined
  csq?: number | undefined
  /** DNY: signal between the device and its host, 0 without a radio. */
  localSignal?: number | undefined
}

/** DNY: facts of a host or modem that up to 50 devices share, each half hour. */
export type HostEvent = Sent & {
  kind: 'host'
  firmware: string
  hostType?: number | undefined
  modemType: number
  modemFirmware?: string | undefined
  /** 0 is none. */
  clockChip: number
  radioFrequency?: number | undefined
} & SimFacts

/** How the charge at one port is getting on. Energy and duration count from its start. */
export type PortReportEvent = Sent & {
  kind: 'portReport'
  port: number
  status: PlugReading
  /** OCPP: a charge point may report its energy alone. */
  powerDw?: number | undefined
  energyWh: number
  durationS: number
  orderNo?: string | undefined
  start?: Reading<StartModeName> | undefined
  voltageDv?: number | undefined
  currentMa?: number | undefined
  temperatureC?: number | undefined
  portTemperatureC?: number | undefined
  /** Since the report before. */
  maxPowerDw?: number | undefined
  minPowerDw?: number | undefined
  meanPowerDw?: number | undefined
  /** Since the start. */
  peakPowerDw?: number | undefined
  /** DNY: energy since the report before in 1/4800 kWh, for makers only. */
  spanEnergyRaw?: number | undefined
  /** How long a full battery has been left in its box. */
  occupiedMin?: number | undefined
  /** YKC: of the car's battery, what the charge has cost so far, and what is wrong with the gun as long as it is. */
  socPercent?: number | undefined
  remainingMin?: number | undefined
  batteryTemperatureC?: number | undefined
  amountYuanE4?: number | undefined
  faults?: Reading<AlarmName>[] | undefined
}

/** A card was held to the device. Without a port the person only asks for the balance. */
export type SwipeEvent = Sent & {
  kind: 'swipe'
  /**
   * Bytes of the card in hex, as they were read: the decimal on the card is this number. OCPP lets a reader make any
   * text of a card; what is no hex stays as it is.
   */
  card: string
  port?: number | undefined
  /**
   * DNY: 0 old, 1 new, 3 only its number could be read, 4 social security card with its number in longCard. YKC: 1 card,
   * 2 account, 3 the car itself, by its vin.
   */
  cardKind?: number | undefined
  balanceFen?: number | undefined
  longCard?: string | undefined
  vin?: string | undefined
}

/** A charge began without the platform, because the network was away. */
export type OfflineStartEvent = Sent & {
  kind: 'offlineStart'
  port: number
  orderNo: string
  card?: string | undefined
}

/** A charge ended: what the bill is made of. */
export type SettlementEvent = Sent & {
  kind: 'settlement'
  port: number
  durationS: number
  energyWh: number
  /** Not known with YKC, nor with OCPP when the charge point reported no power. */
  maxPowerDw?: number | undefined
  stopReason: Reading<StopReasonName>
  orderNo?: string | undefined
  start?: Reading<StartModeName> | undefined
  card?: string | undefined
  /** The largest power in the first five minutes. */
  earlyPowerDw?: number | undefined
  occupiedMin?: number | undefined
} & YkcBill

/** YKC: the rest of what the pile says of a charge. It counts in 0.1 Wh and 0.0001 yuan, and nothing of it is rounded. */
type YkcBill = {
  startedAtS?: number | undefined
  endedAtS?: number | undefined
  energyDwh?: number | undefined
  /** With what is lost between the meter and the car, by the share that the tariff names. */
  lossDwh?: number | undefined
  amountYuanE4?: number | undefined
  /** Of sharp, peak, flat and valley, in this order. A price holds energy and service together. */
  byPrice?: PriceShare[] | undefined
  meterStartDwh?: number | undefined
  meterEndDwh?: number | undefined
  vin?: string | undefined
}
export type PriceShare = { priceYuanE5: number; energyDwh: number; lossDwh: number; amountYuanE4: number }

export type AlarmEvent = Sent & {
  kind: 'alarm'
  alarm: Reading<AlarmName>
  /** Undefined when it is about the whole device. */
  port?: number | undefined
  /** DNY: address of the sensor on the bus, 0 in the device itself, and the bits of its inputs. */
  sensor?: number | undefined
  inputs?: number | undefined
}

/** The answer to a command: by its id, or with DNY by the message id of the frame that carried it. */
export type CommandResultEvent = Sent & {
  kind: 'commandResult'
  commandId?: string | undefined
  messageId?: number | undefined
  ok: boolean
  /** Some devices complain and do it nevertheless; a settlement will follow then, too. */
  carriedOut: boolean
  refusal?: Reading<RefusalName> | undefined
  port?: number | undefined
  orderNo?: string | undefined
  /** Ports with a charger that waits, when 'auto' found several. */
  waitingPorts?: number[] | undefined
  attributes?: AttributeValues | undefined
  /** OCPP: a value was written and holds after the next start. */
  restartNeeded?: boolean | undefined
}
export type ClockAskedEvent = Sent & { kind: 'clockAsked' }
/** YKC: the tariff that the pile has, 0 for none; undefined when it wants to be given one. */
export type TariffAskedEvent = Sent & { kind: 'tariffAsked'; modelNo?: number | undefined }
/**
 * MQTT: the first message on a connection, and its last will, which the broker says for the device when the connection
 * is lost. Both have the same order: that of the connection.
 */
export type HereEvent = Sent & { kind: 'here' }
export type GoneEvent = Sent & { kind: 'gone' }
/** DNY: the modem's greeting, and its sign of life when the line is silent. Neither is answered. */
export type IccidEvent = Sent & { kind: 'iccid'; iccid: string }
export type LinkEvent = Sent & { kind: 'link' }

export type DeviceEvent =
  | RegisterEvent
  | HeartbeatEvent
  | PortStatusEvent
  | HostEvent
  | PortReportEvent
  | SwipeEvent
  | OfflineStartEvent
  | StartedEvent
  | StrayStopEvent
  | SettlementEvent
  | AlarmEvent
  | CommandResultEvent
  | ClockAskedEvent
  | TariffAskedEvent
  | HereEvent
  | GoneEvent
  | IccidEvent
  | LinkEvent
  | RemarkEvent
export type EventKind = DeviceEvent['kind']

/**
 * Whether a bill rests on an event. Then it is acknowledged only after the database has committed it; the device keeps
 * it until then. Every other is acknowledged at once.
 */
export const restsOnIt: Readonly<Record<EventKind, boolean>> = {
  settlement: true,
  swipe: true,
  offlineStart: true,
  started: true,
  strayStop: true,
  register: false,
  heartbeat: false,
  portStatus: false,
  host: false,
  portReport: false,
  alarm: false,
  commandResult: false,
  clockAsked: false,
  tariffAsked: false,
  here: false,
  gone: false,
  iccid: false,
  link: false,
  remark: false,
}

/** What they are told has the same units. */
export type * from './command.ts'
export type * from './sent.ts'
