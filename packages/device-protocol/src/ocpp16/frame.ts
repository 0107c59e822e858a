import { done, refused, type Outcome, type Refused } from '../outcome.ts'
import type { ErrorCode, Payload } from './schema.ts'

/** OCPP-J messages: call, result and error. */

const callType = 2
const resultType = 3
const errorType = 4
/** Message size limit. A local list or the meter values of a long charge stay far below it. */
export const maxFrameBytes = 64 * 1024
/** Limit of a message id in the standard. */
export const maxIdLength = 36

export type OcppCall = { kind: 'call'; id: string; action: string; payload: unknown }
export type OcppResult = { kind: 'result'; id: string; payload: unknown }
export type OcppError = { kind: 'error'; id: string; code: string; description: string }
export type OcppFrame = OcppCall | OcppResult | OcppError

/** Carries the error to answer, if the message was a call with a readable id. */
export type FrameRefused = Refused & { answer?: { id: string; code: ErrorCode } }

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parsed(frame: Uint8Array | string): Outcome<unknown[]> {
  if (frame.length > maxFrameBytes) return refused(`more than ${maxFrameBytes} bytes`)
  try {
    const message: unknown = JSON.parse(typeof frame === 'string' ? frame : utf8.decode(frame))
    return Array.isArray(message) ? done(message as unknown[]) : refused('not a JSON array')
  } catch {
    return refused('not JSON in UTF-8')
  }
}

const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readCall(id: string, rest: readonly unknown[]): { ok: true; value: OcppFrame } | FrameRefused {
  const [action, payload] = rest
  const bad = (reason: string, code: ErrorCode): FrameRefused => ({ ...refused(reason), answer: { id, code } })
  if (typeof action !== 'string') return bad('action is not valid', 'FormationViolation')
  if (rest.length < 2) return bad('payload is missing', 'ProtocolError')
  if (rest.length > 2 || !isPayload(payload)) return bad('payload is not valid', 'FormationViolation')
  return { ok: true, value: { kind: 'call', id, action, payload } }
}

export function readFrame(frame: Uint8Array | string): { ok: true; value: OcppFrame } | FrameRefused {
  const message = parsed(frame)
  if (!message.ok) return message
  const [type, id, ...rest] = message.value
  if (type !== callType && type !== resultType && type !== errorType) return refused('message type is not known')
  if (typeof id !== 'string' || id === '' || id.length > maxIdLength) return refused('id is not valid')
  if (type === callType) return readCall(id, rest)
  const [first, description] = rest
  if (type === resultType) return { ok: true, value: { kind: 'result', id, payload: first } }
  if (typeof first !== 'string') return refused('error code is not valid')
  return {
    ok: true,
    value: {
      kind: 'error',
      id,
      code: first,
      description: typeof description === 'string' ? description.slice(0, 255) : '',
    },
  }
}

export const writeCall = (id: string, action: string, payload: object): string =>
  JSON.stringify([callType, id, action, payload])
export const writeResult = (id: string, payload: object): string => JSON.stringify([resultType, id, payload])
/** The description names the offending field, for developers of the charge point. */
export const writeError = (id: string, code: ErrorCode, description: string): string =>
  JSON.stringify([errorType, id, code, description, {}])
