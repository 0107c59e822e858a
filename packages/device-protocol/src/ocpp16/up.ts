import { accountStatus, type AccountStatusName } from '../account-status.ts'
import { alarmKind } from '../alarm-kind.ts'
import type { AlarmEvent, DeviceEvent, PortReportEvent, SettlementEvent, StartPortCommand } from '../message.ts'
import { plugStatus, type PlugReading } from '../plug-status.ts'
import { stopReason } from '../stop-reason.ts'
import type { AnswerOf, ChargePointCall } from './calls.ts'
import type { StartedEvent } from './events.ts'
import { readingsOf } from './meter.ts'
import { ocppTiming } from './timing.ts'

/** Interprets calls of a charge point, and builds their answers. */

/** Context that a call itself does not carry. */
export type Known = {
  portCount: number
  /** The charge of the call, if its start is known; also when the start itself is resent. */
  charge?: StartedEvent | undefined
  /** Its peak power so far. */
  peakDw?: number | undefined
  /** The last status of the port. */
  status?: PlugReading | undefined
  /** For a start: its transaction number, and the command that authorised it. */
  transactionId?: number | undefined
  ordered?: StartPortCommand | undefined
}

type Call<A extends ChargePointCall['action']> = Extract<ChargePointCall, { action: A }>['payload']

const maxTimeS = 0xffff_ffff
export function secondsOf(timestamp: string | undefined): number | undefined {
  const seconds = Math.floor(Date.parse(timestamp ?? '') / 1000)
  return seconds >= 0 && seconds <= maxTimeS ? seconds : undefined
}

/** Removes control characters and invalid surrogates from a charge point's text. Undefined when nothing remains. */
export function shown(text: string | undefined): string | undefined {
  const clean = text?.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  return clean === '' ? undefined : clean
}
/** Readers send a card's bytes in hex, some in capitals. */
export const cardOf = (idTag: string): string =>
  /^(?:[\da-f]{2})+$/i.test(idTag) ? idTag.toLowerCase() : (shown(idTag) ?? '?')
/** Order number of a charge that a card started. */
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
/**
 * Both times come from the charge point's clock. If the clock was set meanwhile, the result is meaningless and becomes
 * 0.
 */
function durationOf(charge: StartedEvent, endS: number | undefined): number {
  const seconds = (endS ?? 0) - (charge.deviceTimeS ?? 0)
  return seconds >= 0 && seconds <= maxDurationS ? seconds : 0
}

/** An informational event, such as clock-aligned meter values or values of a charge without a known start. */
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
  const event: PortReportEvent = {
    kind: 'portReport',
    port: charge.port,
    status,
    energyWh: Math.max(0, (registerWh ?? charge.meterWh) - charge.meterWh),
    durationS: durationOf(charge, deviceTimeS),
    orderNo: charge.orderNo,
    ...readings,
    deviceTimeS,
  }
  return event
}

function stopped(call: Call<'StopTransaction'>, { charge, peakDw }: Known): DeviceEvent {
  const { transactionId, meterStop, timestamp } = call
  const deviceTimeS = secondsOf(timestamp)
  // The standard allows an omitted reason only for 'Local'.
  const why = stopReason.read('ocpp16', call.reason ?? 'Local')
  if (charge === undefined) {
    const card = call.idTag === undefined ? undefined : cardOf(call.idTag)
    return { kind: 'strayStop', transactionId, meterWh: meterStop, stopReason: why, card, deviceTimeS }
  }
  const lastDw = readingsOf(call.transactionData ?? []).powerDw
  const powers = [peakDw, lastDw].filter((power) => power !== undefined)
  const event: SettlementEvent = {
    kind: 'settlement',
    port: charge.port,
    durationS: durationOf(charge, deviceTimeS),
    energyWh: Math.max(0, meterStop - charge.meterWh),
    maxPowerDw: powers.length === 0 ? undefined : Math.max(...powers),
    stopReason: why,
    orderNo: charge.orderNo,
    card: charge.card,
    deviceTimeS,
    ...fallen(charge.meterWh, meterStop),
  }
  return event
}

/** The meter fell during the charge, so no energy was counted; both readings show why. */
const fallen = (startWh: number, endWh: number) =>
  endWh < startWh ? { meterStartDwh: startWh * 10, meterEndDwh: endWh * 10 } : {}

function portStatus(call: Call<'StatusNotification'>): DeviceEvent {
  const { connectorId, status, errorCode, info, vendorErrorCode, timestamp } = call
  const parts = [errorCode === 'NoError' ? undefined : errorCode, vendorErrorCode, info].map(shown)
  return {
    kind: 'portStatus',
    port: connectorId === 0 ? undefined : connectorId,
    status: plugStatus.read('ocpp16', status),
    info: shown(parts.filter((text) => text !== undefined).join(' ')),
    deviceTimeS: secondsOf(timestamp),
  }
}

/** The alarm of a status, if it reports an error. */
export function alarmOf(call: Call<'StatusNotification'>): AlarmEvent | undefined {
  if (call.errorCode === 'NoError') return undefined
  const port = call.connectorId === 0 ? undefined : call.connectorId
  const alarm = alarmKind.read('ocpp16', call.errorCode)
  return { kind: 'alarm', alarm, port, deviceTimeS: secondsOf(call.timestamp) }
}

export function eventOf(request: ChargePointCall, context: Known): DeviceEvent {
  switch (request.action) {
    case 'BootNotification':
      return register(request.payload, context)
    case 'Heartbeat':
      return { kind: 'heartbeat', ports: [] }
    case 'StatusNotification':
      return portStatus(request.payload)
    case 'Authorize':
      // Some charge points authorise every start, which returns the platform's own order number.
      return context.ordered === undefined
        ? { kind: 'swipe', card: cardOf(request.payload.idTag) }
        : remark('Authorize', request.payload.idTag)
    case 'StartTransaction':
      return context.charge ?? started(request.payload, context)
    case 'MeterValues':
      return report(request.payload, context)
    case 'StopTransaction':
      return stopped(request.payload, context)
    case 'DataTransfer':
      return remark('DataTransfer', request.payload.vendorId)
    case 'SecurityEventNotification':
      return remark('SecurityEventNotification', request.payload.type)
    case 'FirmwareStatusNotification':
    case 'DiagnosticsStatusNotification':
    default:
      return remark(request.action, request.payload.status)
  }
}

type IdStatus = AnswerOf<'Authorize'>['idTagInfo']['status']
/** A status without a word in the standard becomes 'Invalid'. */
const idStatus = (account: AccountStatusName): IdStatus =>
  (accountStatus.rows[account].ocpp16?.[0] as IdStatus | undefined) ?? 'Invalid'

/** `account` is the platform's decision on the card, where one was requested. */
export function answerTo(
  request: ChargePointCall,
  account: AccountStatusName,
  transactionId: number,
  now: Date,
): object {
  const currentTime = now.toISOString()
  switch (request.action) {
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
