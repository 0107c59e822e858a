import { fromChargePoint } from './charge-point-calls.ts'
import type { OcppCall } from './frame.ts'
import { fromPlatform } from './platform-calls.ts'
import type { ErrorCode, Fault, Schema, TypeOf } from './schema.ts'

/** All supported calls, validated strictly; a violation of the standard's schemas maps to one of its error codes. */

/** Defined by the standard, but not supported here. */
const others: ReadonlySet<string> = new Set([
  'CertificateSigned',
  'ClearChargingProfile',
  'DeleteCertificate',
  'ExtendedTriggerMessage',
  'GetCompositeSchedule',
  'GetDiagnostics',
  'GetInstalledCertificateIds',
  'GetLog',
  'InstallCertificate',
  'LogStatusNotification',
  'SetChargingProfile',
  'SignCertificate',
  'SignedFirmwareStatusNotification',
  'SignedUpdateFirmware',
  'UpdateFirmware',
])

type Row = { readonly req: Schema<unknown>; readonly conf: Schema<unknown> }
type Rows = { readonly [action: string]: Row }
/** A call: its action with the matching payload. */
export type CallOf<T extends Rows> = {
  [A in keyof T & string]: { readonly action: A; readonly payload: TypeOf<T[A]['req']> }
}[keyof T & string]
export type ChargePointCall = CallOf<typeof fromChargePoint>
export type PlatformCall = CallOf<typeof fromPlatform>
export type ConfirmationOf<A extends keyof typeof fromPlatform> = TypeOf<(typeof fromPlatform)[A]['conf']>
export type AnswerOf<A extends keyof typeof fromChargePoint> = TypeOf<(typeof fromChargePoint)[A]['conf']>

export type Checked<T> = { ok: true; value: T } | { ok: false; code: ErrorCode; reason: string }
const broken = ({ code, at }: Fault): { ok: false; code: ErrorCode; reason: string } => ({
  ok: false,
  code,
  reason: `${at === '' ? 'payload' : at} ${code === 'OccurrenceConstraintViolation' ? 'is missing' : 'is not valid'}`,
})
const isKnown = (action: string) =>
  Object.hasOwn(fromChargePoint, action) || Object.hasOwn(fromPlatform, action) || others.has(action)

function checkedCall<T extends Rows>(rows: T, { action, payload }: OcppCall): Checked<CallOf<T>> {
  const row = Object.hasOwn(rows, action) ? rows[action] : undefined
  if (row === undefined) {
    const name = /^\w{1,50}$/.test(action) ? action : 'x'
    return isKnown(action)
      ? { ok: false, code: 'NotSupported', reason: `action ${name} is not supported` }
      : { ok: false, code: 'NotImplemented', reason: `action ${name} is not known` }
  }
  const fault = row.req.check(payload, '')
  return fault === undefined ? { ok: true, value: { action, payload } as CallOf<T> } : broken(fault)
}
/** Validates a call of a charge point. */
export const parseChargePointCall = (call: OcppCall): Checked<ChargePointCall> => checkedCall(fromChargePoint, call)
/** Validates a call of the platform. */
export const parsePlatformCall = (call: OcppCall): Checked<PlatformCall> => checkedCall(fromPlatform, call)

/** Validates a charge point's answer to a call of the platform. */
export function confirmed<A extends keyof typeof fromPlatform>(
  action: A,
  payload: unknown,
): Checked<ConfirmationOf<A>> {
  const fault = fromPlatform[action].conf.check(payload, '')
  return fault === undefined ? { ok: true, value: payload as ConfirmationOf<A> } : broken(fault)
}
/** Validates the platform's answer to a call of a charge point. */
export function answered<A extends keyof typeof fromChargePoint>(action: A, payload: unknown): Checked<AnswerOf<A>> {
  const fault = fromChargePoint[action].conf.check(payload, '')
  return fault === undefined ? { ok: true, value: payload as AnswerOf<A> } : broken(fault)
}
