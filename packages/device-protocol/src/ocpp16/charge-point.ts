import type { AlarmEvent, CommandResultEvent, DeviceCommand, PortReportEvent, RegisterEvent } from '../message.ts'
import { done, refused, type Outcome } from '../outcome.ts'
import type { PlugReading } from '../plug-status.ts'
import { stopReason, type StopReasonName } from '../stop-reason.ts'
import type { ChargePointCall, ConfirmationOf, PlatformCall } from './calls.ts'
import { booleanKeys, identifierOf, keyOf } from './configuration.ts'
import { meterValueOf } from './meter.ts'

/** The other side: what a charge point says, and how it takes what it is told. For the simulator. */

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
/** What the standard has no code for is another error, with a word for people. */
export function alarmCall({ alarm, port = 0 }: AlarmEvent): Call<'StatusNotification'> {
  const known = typeof alarm.raw === 'string'
  const errorCode = known ? (alarm.raw as Status['errorCode']) : 'OtherError'
  const info = known ? {} : { info: alarm.name }
  return { action: 'StatusNotification', payload: { connectorId: port, errorCode, status: 'Faulted', ...info } }
}

/** A charge as the charge point counts it. */
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

/** What it is told, in the words of every protocol; undefined for what it cannot do. `chargeOf` knows what runs here. */
export function commandOf(
  told: PlatformCall,
  chargeOf: (transactionId: number) => { port: number; orderNo: string } | undefined,
): Outcome<DeviceCommand> | undefined {
  switch (told.action) {
    case 'Reset':
      return done({ kind: 'restart', force: told.payload.type === 'Hard' || undefined })
    case 'ChangeAvailability':
      return told.payload.connectorId === 0
        ? done({ kind: told.payload.type === 'Inoperative' ? 'stop' : 'restore' })
        : refused('only as a whole')
    case 'RemoteStartTransaction': {
      const { connectorId, idTag } = told.payload
      return done({ kind: 'startPort', port: connectorId ?? 'auto', orderNo: idTag, limit: { by: 'full' } })
    }
    case 'RemoteStopTransaction': {
      const charge = chargeOf(told.payload.transactionId)
      return charge === undefined ? refused('no such charge') : done({ kind: 'stopPort', ...charge })
    }
    case 'TriggerMessage':
      return done({ kind: 'query' })
    case 'GetConfiguration':
      return done({ kind: 'readAttributes', identifiers: (told.payload.key ?? []).map(identifierOf) })
    case 'ChangeConfiguration': {
      const { key, value } = told.payload
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

/** What it answers. */
export function confirmationFor(
  told: PlatformCall,
  { ok, attributes = {} }: Pick<CommandResultEvent, 'ok' | 'attributes'>,
) {
  if (told.action !== 'GetConfiguration') return { status: ok ? 'Accepted' : 'Rejected' }
  const asked = told.payload.key ?? []
  const answer: ConfirmationOf<'GetConfiguration'> = {
    configurationKey: Object.entries(attributes).map(([identifier, value]) => ({
      key: keyOf(identifier),
      readonly: false,
      value: booleanKeys.has(keyOf(identifier)) ? String(value !== 0) : String(value),
    })),
    unknownKey: asked.filter((key) => attributes[identifierOf(key)] === undefined),
  }
  return answer
}
