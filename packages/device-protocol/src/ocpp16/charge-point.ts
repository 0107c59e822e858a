import type { AlarmEvent, CommandResultEvent, DeviceCommand, PortReportEvent, RegisterEvent } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import type { PlugReading } from '../plug-status.ts'
import { stopReason, type StopReasonName } from '../stop-reason.ts'
import type { ChargePointCall, ConfirmationOf, PlatformCall } from './calls.ts'
import { booleanKeys, identifierOf, keyOf } from './configuration.ts'
import { meterValueOf } from './meter.ts'

/** The charge point's side of the protocol, for the simulator. */

type Call<A extends ChargePointCall['action']> = Extract<ChargePointCall, { action: A }>
const timeOf = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000).toISOString()

export function bootCall({ firmware, model, iccid }: RegisterEvent): Call<'BootNotification'> {
  const card = iccid === undefined ? {} : { iccid }
  return {
    action: 'BootNotification',
    payload: {
      chargePointVendor: 'Wattdeck',
      chargePointModel: model ?? 'simulated',
      ...(firmware === undefined ? {} : { firmwareVersion: firmware }),
      ...card,
    },
  }
}

type Status = Call<'StatusNotification'>['payload']
export const statusCall = (connectorId: number, { raw }: PlugReading): Call<'StatusNotification'> => ({
  action: 'StatusNotification',
  payload: {
    connectorId,
    errorCode: raw === 'Faulted' ? 'InternalError' : 'NoError',
    status: raw as Status['status'],
  },
})
/** An alarm without a code in the standard is 'OtherError', with its name as info. */
export function alarmCall({ alarm, port = 0 }: AlarmEvent): Call<'StatusNotification'> {
  const hasCode = typeof alarm.raw === 'string'
  const errorCode = hasCode ? (alarm.raw as Status['errorCode']) : 'OtherError'
  const info = hasCode ? {} : { info: alarm.name }
  return { action: 'StatusNotification', payload: { connectorId: port, errorCode, status: 'Faulted', ...info } }
}

/** A charge in the charge point's own figures. */
export type OwnCharge = { port: number; idTag: string; meterStart: number; startedS: number }
export const startCall = (charge: OwnCharge): Call<'StartTransaction'> => ({
  action: 'StartTransaction',
  payload: {
    connectorId: charge.port,
    idTag: charge.idTag,
    meterStart: charge.meterStart,
    timestamp: timeOf(charge.startedS),
  },
})

export function meterCall(report: PortReportEvent, meterStart: number, transactionId: number): Call<'MeterValues'> {
  const { port, energyWh, powerDw, voltageDv, currentMa, temperatureC, deviceTimeS } = report
  const readings = { registerWh: meterStart + energyWh, powerDw, voltageDv, currentMa, temperatureC }
  return {
    action: 'MeterValues',
    payload: { connectorId: port, transactionId, meterValue: [meterValueOf(readings, timeOf(deviceTimeS))] },
  }
}

export type OwnEnd = { transactionId: number; meterStop: number; endedS: number; why: StopReasonName }
export function stopCall({ transactionId, meterStop, endedS, why }: OwnEnd): Call<'StopTransaction'> {
  const reason = (stopReason.rows[why].ocpp16?.[0] ?? 'Other') as Call<'StopTransaction'>['payload']['reason']
  return { action: 'StopTransaction', payload: { transactionId, meterStop, timestamp: timeOf(endedS), reason } }
}

/**
 * Maps a call to a protocol-independent command; undefined for unsupported calls. `chargeOf` resolves running charges.
 */
export function commandOf(
  call: PlatformCall,
  chargeOf: (transactionId: number) => { port: number; orderNo: string } | undefined,
): Outcome<DeviceCommand> | undefined {
  switch (call.action) {
    case 'Reset':
      return done({ kind: 'restart', force: call.payload.type === 'Hard' || undefined })
    case 'ChangeAvailability':
      return call.payload.connectorId === 0
        ? done({ kind: call.payload.type === 'Inoperative' ? 'stop' : 'restore' })
        : refused('only as a whole')
    case 'RemoteStartTransaction': {
      const { connectorId, idTag } = call.payload
      return done({ kind: 'startPort', port: connectorId ?? 'auto', orderNo: idTag, limit: { by: 'full' } })
    }
    case 'RemoteStopTransaction': {
      const charge = chargeOf(call.payload.transactionId)
      return charge === undefined ? refused('no such charge') : done({ kind: 'stopPort', ...charge })
    }
    case 'TriggerMessage':
      return done({ kind: 'query' })
    case 'GetConfiguration':
      return done({ kind: 'readAttributes', identifiers: (call.payload.key ?? []).map(identifierOf) })
    case 'ChangeConfiguration': {
      const { key, value } = call.payload
      const number = booleanKeys.has(key) ? Number(value.toLowerCase() === 'true') : Number(value)
      if (!Number.isSafeInteger(number)) return refused('no number')
      return done({ kind: 'writeAttributes', values: { [identifierOf(key)]: number } })
    }
    case 'CancelReservation':
    case 'ClearCache':
    case 'DataTransfer':
    case 'GetLocalListVersion':
    case 'ReserveNow':
    case 'SendLocalList':
    case 'UnlockConnector':
    default:
      return undefined
  }
}

/** Builds the confirmation of a call. */
export function confirmationFor(
  call: PlatformCall,
  { ok, attributes = {} }: Pick<CommandResultEvent, 'ok' | 'attributes'>,
) {
  if (call.action !== 'GetConfiguration') return { status: ok ? 'Accepted' : 'Rejected' }
  const keys = call.payload.key ?? []
  const answer: ConfirmationOf<'GetConfiguration'> = {
    configurationKey: Object.entries(attributes).map(([identifier, value]) => ({
      key: keyOf(identifier),
      readonly: false,
      value: booleanKeys.has(keyOf(identifier)) ? String(value !== 0) : String(value),
    })),
    unknownKey: keys.filter((key) => attributes[identifierOf(key)] === undefined),
  }
  return answer
}
