import type { AlarmName } from './alarm-kind.ts'
import type { PortStatusEvent, RemarkEvent, StartedEvent, StrayStopEvent } from './ocpp16/events.ts'
import type { PlugReading } from './plug-status.ts'
import type { Reading } from './protocol-table.ts'
import type { RefusalName } from './refusal.ts'
import type { AttributeValues, Sent } from './sent.ts'
import type { StartModeName } from './start-mode.ts'
import type { StopReasonName } from './stop-reason.ts'

/**
 * Events and commands of devices, independent of the protocol. All numbers are integers with their unit as a suffix: S
 * seconds, Min minutes, Wh watt hours, Dwh 0.1 Wh, Dw 0.1 W, Dv 0.1 V, Ma 0.001 A, C degrees Celsius, Fen 0.01 yuan,
 * YuanE4 0.0001 yuan, YuanE5 0.00001 yuan. Ports count from 1. An undefined field was not sent. Device clocks are
 * informative: they neither order nor price anything.
 */

/** Sent after a start, or when one of these facts changed. */
export type RegisterEvent = Sent & {
  kind: 'register'
  /** Display form: '1.26'. Optional in OCPP. */
  firmware?: string | undefined
  portCount: number
  /** The vendor's model name; with DNY the device type as two hex digits, with YKC 'DC' or 'AC'. */
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
  /** Mobile signal, 0 to 31; 99 is unknown. A few DNY modems send 100 to 197 on their own scale. */
  csq?: number | undefined
}

export type HeartbeatEvent = Sent & {
  kind: 'heartbeat'
  /** Starts with port 1. Empty with OCPP and YKC, whose ports report separately. */
  ports: PlugReading[]
  /** YKC: the gun that sent the heartbeat. */
  port?: number | undefined
  voltageDv?: number | undefined
  temperatureC?: number | undefined
  csq?: number | undefined
  /** DNY: signal between the device and its host, 0 without a radio. */
  localSignal?: number | undefined
}

/** DNY: facts of a host or modem that up to 50 devices share, sent every half hour. */
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

/** Progress of the charge at one port. Energy and duration count from its start. */
export type PortReportEvent = Sent & {
  kind: 'portReport'
  port: number
  status: PlugReading
  /** Optional in OCPP: a charge point may report only energy. */
  powerDw?: number | undefined
  energyWh: number
  durationS: number
  orderNo?: string | undefined
  start?: Reading<StartModeName> | undefined
  voltageDv?: number | undefined
  currentMa?: number | undefined
  temperatureC?: number | undefined
  portTemperatureC?: number | undefined
  /** Since the previous report. */
  maxPowerDw?: number | undefined
  minPowerDw?: number | undefined
  meanPowerDw?: number | undefined
  /** Since the start. */
  peakPowerDw?: number | undefined
  /** DNY: energy since the previous report in 1/4800 kWh, for vendors only. */
  spanEnergyRaw?: number | undefined
  /** How long a full battery has occupied its box. */
  occupiedMin?: number | undefined
  /** YKC: battery data, the cost so far, and the gun's active faults. */
  socPercent?: number | undefined
  remainingMin?: number | undefined
  batteryTemperatureC?: number | undefined
  amountYuanE4?: number | undefined
  faults?: Reading<AlarmName>[] | undefined
}

/** A card swipe. Without a port it is a balance inquiry. */
export type SwipeEvent = Sent & {
  kind: 'swipe'
  /**
   * The card's bytes in hex, in reading order; the decimal number printed on the card is the same value. OCPP readers
   * may send any text; text that is not hex is kept unchanged.
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

/** A charge that started without the platform, while the network was down. */
export type OfflineStartEvent = Sent & {
  kind: 'offlineStart'
  port: number
  orderNo: string
  card?: string | undefined
}

/** The end of a charge, with the figures of its bill. */
export type SettlementEvent = Sent & {
  kind: 'settlement'
  port: number
  durationS: number
  energyWh: number
  /** Missing with YKC, and with OCPP when the charge point reported no power. */
  maxPowerDw?: number | undefined
  stopReason: Reading<StopReasonName>
  orderNo?: string | undefined
  start?: Reading<StartModeName> | undefined
  card?: string | undefined
  /** The largest power in the first five minutes. */
  earlyPowerDw?: number | undefined
  occupiedMin?: number | undefined
} & YkcBill

/** YKC: further figures of a charge, in 0.1 Wh and 0.0001 yuan, not rounded. */
type YkcBill = {
  startedAtS?: number | undefined
  endedAtS?: number | undefined
  energyDwh?: number | undefined
  /** Including the losses between meter and car, at the tariff's loss percentage. */
  lossDwh?: number | undefined
  amountYuanE4?: number | undefined
  /** Shares of sharp, peak, flat and valley, in this order. A price includes energy and service. */
  byPrice?: PriceShare[] | undefined
  meterStartDwh?: number | undefined
  meterEndDwh?: number | undefined
  vin?: string | undefined
}
export type PriceShare = { priceYuanE5: number; energyDwh: number; lossDwh: number; amountYuanE4: number }

export type AlarmEvent = Sent & {
  kind: 'alarm'
  alarm: Reading<AlarmName>
  /** Undefined for the whole device. */
  port?: number | undefined
  /** DNY: address of the sensor on the bus, 0 in the device itself, and the bits of its inputs. */
  sensor?: number | undefined
  inputs?: number | undefined
}

/** The result of a command, identified by its id, or with DNY by the message id of its frame. */
export type CommandResultEvent = Sent & {
  kind: 'commandResult'
  commandId?: string | undefined
  messageId?: number | undefined
  ok: boolean
  /** Some devices report a refusal but execute the command; a settlement follows then too. */
  carriedOut: boolean
  refusal?: Reading<RefusalName> | undefined
  port?: number | undefined
  orderNo?: string | undefined
  /** Ports with a waiting vehicle, when 'auto' matched several. */
  waitingPorts?: number[] | undefined
  attributes?: AttributeValues | undefined
  /** OCPP: a written value takes effect after the next restart. */
  restartNeeded?: boolean | undefined
}
export type ClockRequestEvent = Sent & { kind: 'clockAsked' }
/** YKC: the number of the pile's tariff, 0 for none; undefined when it requests one. */
export type TariffRequestEvent = Sent & { kind: 'tariffAsked'; modelNo?: number | undefined }
/**
 * MQTT: the first message on a connection, and its last will, which the broker publishes when the connection is lost.
 * Both carry the order of the connection.
 */
export type HereEvent = Sent & { kind: 'here' }
export type GoneEvent = Sent & { kind: 'gone' }
/** DNY: the modem's greeting, and its keep-alive on an idle connection. Neither is answered. */
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
  | ClockRequestEvent
  | TariffRequestEvent
  | HereEvent
  | GoneEvent
  | IccidEvent
  | LinkEvent
  | RemarkEvent
export type EventKind = DeviceEvent['kind']

/**
 * Whether a bill depends on an event. Such an event is acknowledged after the commit, and the device stores it until
 * then. Other events are acknowledged at once.
 */
export const isBillingEvent = {
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

/** Commands use the same units. */
export type * from './command.ts'
export type * from './sent.ts'
