import { fromChargePoint } from './charge-point-calls.ts'
import type { OcppCall } from './frame.ts'
import { fromPlatform } from './platform-calls.ts'
import type { ErrorCode, Fault, Schema, TypeOf } from './schema.ts'

/** Every call that we speak, checked strictly: what the schemas of the standard do not allow is one of its errors. */

/** Of the standard, but not spoken here. */
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
/** A call and its content, which belong together. */
export type CallOf<T extends Rows> = {
  [A in keyof T & string]: { readonly action: A; readonly payload: TypeOf<T[A]['req']> }
}[keyof T & string]
/** From a charge point. */
export type ChargePointCall = CallOf<typeof fromChargePoint>
/** From the platform. */
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
  const found = row.req.check(payload, '')
  return found === undefined ? { ok: true, value: { action, payload } as CallOf<T> } : broken(found)
}
/** What a charge point asks, if it is what the standard lets it ask. */
export const askedBy = (call: OcppCall): Checked<ChargePointCall> => checkedCall(fromChargePoint, call)
/** What the platform asks, likewise. */
export const toldBy = (call: OcppCall): Checked<PlatformCall> => checkedCall(fromPlatform, call)

/** The answer of a charge point to a call of the platform. */
export function confirmed<A extends keyof typeof fromPlatform>(
  action: A,
  payload: unknown,
): Checked<ConfirmationOf<A>> {
  const found = fromPlatform[action].conf.check(payload, '')
  return found === undefined ? { ok: true, value: payload as ConfirmationOf<A> } : broken(found)
}
/** The answer of the platform to a call of a charge point. */
export function answered<A extends keyof typeof fromChargePoint>(action: A, payload: unknown): Checked<AnswerOf<A>> {
  const found = fromChargePoint[action].conf.check(payload, '')
  return found === undefined ? { ok: true, value: payload as AnswerOf<A> } : broken(found)
}
