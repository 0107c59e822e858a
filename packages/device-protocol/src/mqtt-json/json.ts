import { done, refused, type Outcome } from '../outcome.ts'
import type { Reading, WireValue } from '../protocol-table.ts'

/**
 * Field codecs of JSON messages. Written by hand instead of a schema library, because thousands of messages a second
 * pass through.
 */

export const maxMessageBytes = 4096
/** Known messages have depth two; the rest allows for fields of newer firmware. */
const maxDepth = 4

/** Undefined means invalid, in both directions; JSON has no such value. */
type Json<T> = { read(value: unknown): T | undefined; write(value: T): unknown }

export const int = (min: number, max: number): Json<number> => {
  // Adding 0 turns -0 into 0.
  const check = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value + 0 : undefined
  return { read: check, write: check }
}

export const text = (pattern: RegExp): Json<string> => {
  const check = (value: unknown) => (typeof value === 'string' && pattern.test(value) ? value : undefined)
  return { read: check, write: check }
}

const checkFlag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
export const flag: Json<boolean> = { read: checkFlag, write: checkFlag }

export const coded = <Name extends string>(read: (raw: number) => Reading<Name>): Json<Reading<Name>> => ({
  read: (value) => (isByte(value) ? read(value) : undefined),
  write: ({ raw }: { raw: WireValue }) => (isByte(raw) ? raw : undefined),
})
const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255

export const list = <T>(item: Json<T>, min: number, max: number): Json<T[]> => {
  const every = <V>(values: unknown, each: (value: never) => V | undefined): V[] | undefined => {
    if (!Array.isArray(values) || values.length < min || values.length > max) return undefined
    const items: V[] = []
    for (const value of values as never[]) {
      const one = each(value)
      if (one === undefined) return undefined
      items.push(one)
    }
    return items
  }
  return {
    read: (value) => every(value, (one) => item.read(one)),
    write: (values) => every(values, (one) => item.write(one)),
  }
}

/** An object that maps names to numbers. */
export const numbers = (name: RegExp, max: number): Json<{ readonly [name: string]: number }> => {
  const check = (value: unknown) => {
    if (!isObject(value)) return undefined
    const entries = Object.entries(value)
    if (entries.length > max || !entries.every(([key, number]) => name.test(key) && Number.isSafeInteger(number)))
      return undefined
    return Object.fromEntries(entries) as { readonly [name: string]: number }
  }
  return { read: check, write: check }
}

type Field<T> = { key: string; json: Json<T>; optional: boolean }
/** A field's name in the message, and its codec. */
export const field = <T>(key: string, json: Json<T>): Field<T> => ({ key, json, optional: false })
export const optional = <T>(key: string, json: Json<T>): Field<T | undefined> => ({ key, json, optional: true })

type Fields = { readonly [name: string]: Field<unknown> }
type ValueOf<F> = F extends Field<infer T> ? T : never
export type ValuesOf<F extends Fields> = {
  [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>
} & { [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> }

export type JsonObject = { [key: string]: unknown }

/** Codec of an object. Unknown fields are ignored: newer firmware may send them. */
export function shape<F extends Fields>(fields: F) {
  const entries = Object.entries(fields)
  return {
    keys: entries.map(([, { key }]) => key),
    read(message: JsonObject): Outcome<ValuesOf<F>> {
      const values: Record<string, unknown> = {}
      for (const [name, { key, json, optional: maybe }] of entries) {
        const source = message[key]
        if (source === undefined) {
          if (!maybe) return refused(`${key} is missing`)
          continue
        }
        const value = json.read(source)
        if (value === undefined) return refused(`${key} is not valid`)
        values[name] = value
      }
      return done(values as ValuesOf<F>)
    },
    write(source: ValuesOf<F>): Outcome<JsonObject> {
      const values: Record<string, unknown> = source
      const message: JsonObject = {}
      for (const [name, { key, json, optional: maybe }] of entries) {
        const value = values[name]
        if (value === undefined && maybe) continue
        const encoded = value === undefined ? undefined : json.write(value)
        if (encoded === undefined) return refused(`${key} is not valid`)
        message[key] = encoded
      }
      return done(message)
    },
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const utf8 = new TextDecoder('utf-8', { fatal: true })

function tooDeep(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === 0x22) quoted = !quoted
    else if (quoted) at += Number(code === 0x5c)
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}

/** Parses a JSON object within the size and depth limits. */
export function readMessage(payload: Uint8Array | string): Outcome<JsonObject> {
  if (payload.length > maxMessageBytes) return refused(`more than ${maxMessageBytes} bytes`)
  try {
    const json = typeof payload === 'string' ? payload : utf8.decode(payload)
    if (tooDeep(json)) return refused(`deeper than ${maxDepth}`)
    const message: unknown = JSON.parse(json)
    return isObject(message) ? done(message) : refused('not a JSON object')
  } catch {
    return refused('not JSON in UTF-8')
  }
}

export function writeMessage(message: JsonObject): Outcome<string> {
  const json = JSON.stringify(message)
  // Every permitted text is ASCII, so characters equal bytes.
  return json.length > maxMessageBytes ? refused(`more than ${maxMessageBytes} bytes`) : done(json)
}
