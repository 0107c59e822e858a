import { done, refused, type Outcome } from '../outcome.ts'
import type { Reading, WireValue } from '../protocol-table.ts'

/** How fields stand in a JSON message. By hand and not by a schema library: thousands a second pass here. */

export const maxMessageBytes = 4096
/** Nothing we know is deeper than two; the rest is room for fields of newer firmware. */
const maxDepth = 4

/** Undefined stands for what cannot be read or written; JSON has no such value. */
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
    const taken: V[] = []
    for (const value of values as never[]) {
      const one = each(value)
      if (one === undefined) return undefined
      taken.push(one)
    }
    return taken
  }
  return {
    read: (value) => every(value, (one) => item.read(one)),
    write: (values) => every(values, (one) => item.write(one)),
  }
}

/** Names to numbers. */
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
/** The name in the message, and what stands there. */
export const field = <T>(key: string, json: Json<T>): Field<T> => ({ key, json, optional: false })
export const optional = <T>(key: string, json: Json<T>): Field<T | undefined> => ({ key, json, optional: true })

type Fields = { readonly [name: string]: Field<unknown> }
type ValueOf<F> = F extends Field<infer T> ? T : never
export type ValuesOf<F extends Fields> = {
  [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>
} & { [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> }

export type JsonObject = { [key: string]: unknown }

/** Fields that it does not have are left alone: newer firmware may send them. */
export function shape<F extends Fields>(fields: F) {
  const entries = Object.entries(fields)
  return {
    keys: entries.map(([, { key }]) => key),
    read(message: JsonObject): Outcome<ValuesOf<F>> {
      const values: Record<string, unknown> = {}
      for (const [name, { key, json, optional: maybe }] of entries) {
        const given = message[key]
        if (given === undefined) {
          if (!maybe) return refused(`${key} is missing`)
          continue
        }
        const value = json.read(given)
        if (value === undefined) return refused(`${key} is not valid`)
        values[name] = value
      }
      return done(values as ValuesOf<F>)
    },
    write(given: ValuesOf<F>): Outcome<JsonObject> {
      const values: Record<string, unknown> = given
      const message: JsonObject = {}
      for (const [name, { key, json, optional: maybe }] of entries) {
        const value = values[name]
        if (value === undefined && maybe) continue
        const said = value === undefined ? undefined : json.write(value)
        if (said === undefined) return refused(`${key} is not valid`)
        message[key] = said
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

/** A JSON object within the limits. */
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
  // Every text that is allowed is ASCII.
  return json.length > maxMessageBytes ? refused(`more than ${maxMessageBytes} bytes`) : done(json)
}
