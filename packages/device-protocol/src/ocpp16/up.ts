import { accountStatus, type AccountStatusName } from '../account-status.ts'
import { alarmKind } from '../alarm-kind.ts'
import type { AlarmEvent, DeviceEvent, PortReportEvent, SettlementEvent, StartPortCommand } from '../message.ts'
import { plugStatus, type PlugReading } from '../plug-status.ts'
import { stopReason } from '../stop-reason.ts'
import type { AnswerOf, ChargePointCall } from './calls.ts'
import type { StartedEvent } from './events.ts'
import { readingsOf } from './meter.ts'
import { ocppTiming } from './timing.ts'

/** What a charge point's calls mean, and what they are answered. */

/** What the platform knows besides: a call itself names no more than it must. */
export type Known = {
  portCount: number
  /** The charge that is meant, if its beginning is known; also when the beginning itself is told again. */
  charge?: StartedEvent | undefined
  /** Its largest power until now. */
  peakDw?: number | undefined
  /** What the port said last. */
  status?: PlugReading | undefined
  /** For a charge that begins: its number, and the command that let it begin. */
  transactionId?: number | undefined
  ordered?: StartPortCommand | undefined
}

type Call<A extends ChargePointCall['action']> = Extract<ChargePointCall, { action: A }>['payload']

const maxTimeS = 0xffff_ffff
export function secondsOf(timestamp: string | undefined): number | undefined {
  const seconds = Math.floor(Date.parse(timestamp ?? '') / 1000)
  return seconds >= 0 && seconds <= maxTimeS ? seconds : undefined
}

/** What can be stored and shown, whatever a charge point puts into its texts. Undefined when nothing is left. */
export function shown(text: string | undefined): string | undefined {
  const clean = text?.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  return clean === '' ? undefined : clean
}
/** Readers write the bytes of a card in hex, some in capitals. */
export const cardOf = (idTag: string): string =>
  /^(?:[\da-f]{2})+$/i.test(idTag) ? idTag.toLowerCase() : (shown(idTag) ?? '?')
/** The order of a charge that a card began. */
const ownOrder = (transactionId: number) => `T${transactionId}`

function register(call: Call<'BootNotification'>, { portCount }: Known): DeviceEvent {
  const model = `${call.chargePointVendor} ${call.chargePointModel}`
  const [firmware, iccid] = [shown(call.firmwareVersion), shown(call.iccid)]
  return { kind: 'register', firmware, portCount, model: shown(model), iccid }
}

function started(call: Call<'StartTransaction'>, { ordered, transactionId = 0 }: Known): StartedEvent {
  const { connectorId: port, idTag, meterStart: meterWh, timestamp } = call
  const whose =
    ordered === undefined
      ? { orderNo: ownOrder(transactionId), card: cardOf(idTag) }
      : { orderNo: ordered.orderNo, limit: ordered.limit, maxDurationS: ordered.maxDurationS }
  return { kind: 'started', port, transactionId, meterWh, deviceTimeS: secondsOf(timestamp), ...whose }
}

const maxDurationS = 31_536_000
/** Both times are of the charge point's own clock. One that was set meanwhile tells nothing. */
function durationOf(charge: StartedEvent, endS: number | undefined): number {
  const seconds = (endS ?? 0) - (charge.deviceTimeS ?? 0)
  return seconds >= 0 && seconds <= maxDurationS ? seconds : 0
}

/** Nothing of a charge: a meter that is read by the clock, or one whose beginning nobody knows. */
const remark = (about: ChargePointCall['action'], text?: string): DeviceEvent => ({
  kind: 'remark',
  about,
  text: shown(text),
})

const charging = plugStatus.say('ocpp16', 'working')
function report(call: Call<'MeterValues'>, { charge, status = charging }: Known): DeviceEvent {
  if (charge === undefined) return remark('MeterValues')
  const { registerWh, ...readings } = readingsOf(call.meterValue)
  const deviceTimeS = secondsOf(call.meterValue.at(-1)?.timestamp)
  const made: PortReportEvent = {
    kind: 'portReport',
    port: charge.port,
    status,
    energyWh: Math.max(0, (registerWh ?? charge.meterWh) - charge.meterWh),
    durationS: durationOf(charge, deviceTimeS),
    orderNo: charge.orderNo,
    ...readings,
    deviceTimeS,
  }
  return made
}

function stopped(call: Call<'StopTransaction'>, { charge, peakDw }: Known): DeviceEvent {
  const { transactionId, meterStop, timestamp } = call
  const deviceTimeS = secondsOf(timestamp)
  // The standard lets a charge point leave it out for this one only.
  const why = stopReason.read('ocpp16', call.reason ?? 'Local')
  if (charge === undefined) {
    const card = call.idTag === undefined ? undefined : cardOf(call.idTag)
    return { kind: 'strayStop', transactionId, meterWh: meterStop, stopReason: why, card, deviceTimeS }
  }
  const lastDw = readingsOf(call.transactionData ?? []).powerDw
  const known = [peakDw, lastDw].filter((power) => power !== undefined)
  const made: SettlementEvent = {
    kind: 'settlement',
    port: charge.port,
    durationS: durationOf(charge, deviceTimeS),
    energyWh: Math.max(0, meterStop - charge.meterWh),
    maxPowerDw: known.length === 0 ? undefined : Math.max(...known),
    stopReason: why,
    orderNo: charge.orderNo,
    card: charge.card,
    deviceTimeS,
    ...fallen(charge.meterWh, meterStop),
  }
  return made
}

/** A meter that ended below where it began: nothing was counted, and both readings say why nobody should believe it. */
const fallen = (startWh: number, endWh: number) =>
  endWh < startWh ? { meterStartDwh: startWh * 10, meterEndDwh: endWh * 10 } : {}

function portStatus(call: Call<'StatusNotification'>): DeviceEvent {
  const { connectorId, status, errorCode, info, vendorErrorCode, timestamp } = call
  const said = [errorCode === 'NoError' ? undefined : errorCode, vendorErrorCode, info].map(shown)
  return {
    kind: 'portStatus',
    port: connectorId === 0 ? undefined : connectorId,
    status: plugStatus.read('ocpp16', status),
    info: shown(said.filter((text) => text !== undefined).join(' ')),
    deviceTimeS: secondsOf(timestamp),
  }
}

/** What a status complains of. */
export function alarmOf(call: Call<'StatusNotification'>): AlarmEvent | undefined {
  if (call.errorCode === 'NoError') return undefined
  const port = call.connectorId === 0 ? undefined : call.connectorId
  const alarm = alarmKind.read('ocpp16', call.errorCode)
  return { kind: 'alarm', alarm, port, deviceTimeS: secondsOf(call.timestamp) }
}

export function eventOf(asked: ChargePointCall, known: Known): DeviceEvent {
  switch (asked.action) {
    case 'BootNotification':
      return register(asked.payload, known)
    case 'Heartbeat':
      return { kind: 'heartbeat', ports: [] }
    case 'StatusNotification':
      return portStatus(asked.payload)
    case 'Authorize':
      // The platform's own order comes back when a charge point asks about every start.
      return known.ordered === undefined
        ? { kind: 'swipe', card: cardOf(asked.payload.idTag) }
        : remark('Authorize', asked.payload.idTag)
    case 'StartTransaction':
      return known.charge ?? started(asked.payload, known)
    case 'MeterValues':
      return report(asked.payload, known)
    case 'StopTransaction':
      return stopped(asked.payload, known)
    case 'DataTransfer':
      return remark('DataTransfer', asked.payload.vendorId)
    case 'SecurityEventNotification':
      return remark('SecurityEventNotification', asked.payload.type)
    case 'FirmwareStatusNotification':
    case 'DiagnosticsStatusNotification':
    default:
      return remark(asked.action, asked.payload.status)
  }
}

type IdStatus = AnswerOf<'Authorize'>['idTagInfo']['status']
/** One that the standard has no word for is told as invalid. */
const idStatus = (account: AccountStatusName): IdStatus =>
  (accountStatus.rows[account].ocpp16?.[0] as IdStatus | undefined) ?? 'Invalid'

/** `account` is what the platform says of the card, where it was asked. */
export function answerTo(asked: ChargePointCall, account: AccountStatusName, transactionId: number, now: Date): object {
  const currentTime = now.toISOString()
  switch (asked.action) {
    case 'BootNotification':
      return { status: 'Accepted', currentTime, interval: ocppTiming.heartbeatMs / 1000 }
    case 'Heartbeat':
      return { currentTime }
    case 'Authorize':
      return { idTagInfo: { status: idStatus(account) } }
    case 'StartTransaction':
      return { transactionId, idTagInfo: { status: idStatus(account) } }
    case 'DataTransfer':
      return { status: 'UnknownVendorId' }
    case 'DiagnosticsStatusNotification':
    case 'FirmwareStatusNotification':
    case 'MeterValues':
    case 'SecurityEventNotification':
    case 'StatusNotification':
    case 'StopTransaction':
    default:
      return {}
  }
}
