import type { Envelope, UpItem } from '@wattdeck/contract/events/device-bus.ts'

/** A message and the gateway that received it. */
export type Incoming = UpItem & { gateway: number }

/** Parses an envelope; undefined if the text is not in the format of a gateway. */
export function readEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isEnvelope(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d{1,19}$/.test(value)
const isItem = (value: unknown): boolean =>
  isObject(value) &&
  isNumber(value['id']) &&
  isNumber(value['d']) &&
  isNumber(value['o']) &&
  isObject(value['e']) &&
  typeof value['e']['kind'] === 'string'
const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) &&
  typeof value['gateway'] === 'number' &&
  Array.isArray(value['items']) &&
  value['items'].every(isItem)
