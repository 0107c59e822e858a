import { done, refused, type Outcome } from './outcome.ts'
import type { Reading, WireValue } from './protocol-table.ts'

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function hexOf(bytes: Iterable<number>): string {
  let text = ''
  for (const byte of bytes) text += hexDigits[byte] ?? ''
  return text
}

/** Accepts spaces, as in frames pasted from logs. Undefined when the text is not hex. */
export function bytesOfHex(text: string): Uint8Array | undefined {
  const digits = text.replaceAll(/\s/g, '')
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  )
}

/** Reads past the end as zeros, and then sets `short`. */
export class Cursor {
  readonly bytes: Uint8Array
  at = 0
  short = false
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
  get left(): number {
    return this.bytes.length - this.at
  }
  u8(): number {
    if (this.at >= this.bytes.length) this.short = true
    return this.bytes[this.at++] ?? 0
  }
  take(count: number): number[] {
    const collected: number[] = []
    for (let at = 0; at < count; at++) collected.push(this.u8())
    return collected
  }
}

/** Codec of one field. `write` returns false for a value that does not fit. */
export type Wire<T> = {
  readonly size: number
  /** May be missing at the end of a frame of older firmware. */
  readonly optional?: boolean
  read(from: Cursor): T
  write(to: number[], value: T): boolean
}

const unsigned = (size: number): Wire<number> => ({
  size,
  read(from) {
    let value = 0
    for (let at = 0, unit = 1; at < size; at++, unit *= 256) value += from.u8() * unit
    return value
  },
  write(to, value) {
    if (!Number.isInteger(value) || value < 0 || value >= 256 ** size) return false
    for (let at = 0, rest = value; at < size; at++, rest = Math.floor(rest / 256)) to.push(rest % 256)
    return true
  },
})
/** Little endian, as in all of DNY and YKC. */
export const u8 = unsigned(1)
export const u16 = unsigned(2)
export const u32 = unsigned(4)
export const u40 = unsigned(5)

export const mapped = <R, T>(wire: Wire<R>, toValue: (raw: R) => T, toRaw: (value: T) => R | undefined): Wire<T> => ({
  size: wire.size,
  read: (from) => toValue(wire.read(from)),
  write(to, value) {
    const raw = toRaw(value)
    return raw !== undefined && wire.write(to, raw)
  },
})

/** `none` is the wire value of an undefined field. */
export const noneAt = (wire: Wire<number>, none: number): Wire<number | undefined> =>
  mapped(
    wire,
    (raw) => (raw === none ? undefined : raw),
    (value) => value ?? none,
  )

/** In units of `factor`, rounded down. */
export const scaled = (wire: Wire<number>, factor: number): Wire<number> =>
  mapped(
    wire,
    (raw) => raw * factor,
    (value) => Math.floor(value / factor),
  )

export const hexText = (size: number): Wire<string> => ({
  size,
  read: (from) => hexOf(from.take(size)),
  write(to, value) {
    const bytes = bytesOfHex(value)
    if (bytes?.length !== size) return false
    to.push(...bytes)
    return true
  },
})

/** Padded with zeros. Other bytes than printable ASCII are dropped. */
export const asciiText = (size: number): Wire<string> => ({
  size,
  read: (from) =>
    from
      .take(size)
      .filter((byte) => byte > 0x20 && byte < 0x7f)
      .map((byte) => String.fromCharCode(byte))
      .join(''),
  write(to, value) {
    if (value.length > size || !/^[!-~]*$/.test(value)) return false
    for (let at = 0; at < size; at++) to.push(at < value.length ? value.charCodeAt(at) : 0)
    return true
  },
})

/** A byte whose values a protocol table defines. */
export const coded = <Name extends string>(read: (raw: number) => Reading<Name>): Wire<Reading<Name>> => ({
  size: 1,
  read: (from) => read(from.u8()),
  write: (to, { raw }: { raw: WireValue }) => typeof raw === 'number' && u8.write(to, raw),
})

/** A count byte, then the items. */
export const counted = <T>(wire: Wire<T>): Wire<T[]> => ({
  size: 1,
  read(from) {
    const values: T[] = []
    for (let left = from.u8(); left > 0 && !from.short; left--) values.push(wire.read(from))
    return values
  },
  write: (to, values) => u8.write(to, values.length) && values.every((value) => wire.write(to, value)),
})

export const optional = <T>(wire: Wire<T>): Wire<T | undefined> => ({
  size: wire.size,
  optional: true,
  read: (from) => (from.left === 0 ? undefined : wire.read(from)),
  write(to, value) {
    if (value !== undefined) return wire.write(to, value)
    for (let at = 0; at < wire.size; at++) to.push(0)
    return true
  },
})

type Fields = { readonly [name: string]: Wire<unknown> }
type ValueOf<W> = W extends Wire<infer T> ? T : never
export type ValuesOf<F extends Fields> = {
  [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]>
} & { [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]> }

/** The fields of a frame in wire order. Bytes after the last field come from newer firmware and are ignored. */
export function layout<F extends Fields>(fields: F) {
  const entries = Object.entries(fields)
  return {
    read(bytes: Uint8Array): Outcome<ValuesOf<F>> {
      const from = new Cursor(bytes)
      const values: Record<string, unknown> = {}
      for (const [name, wire] of entries) {
        values[name] = wire.read(from)
        if (from.short) return refused(`the data ends in ${name}`)
      }
      return done(values as ValuesOf<F>)
    },
    write(fieldValues: ValuesOf<F>): Outcome<number[]> {
      const values: Record<string, unknown> = fieldValues
      const needed = entries.findLastIndex(([name, wire]) => wire.optional !== true || values[name] !== undefined)
      const bytes: number[] = []
      for (const [name, wire] of entries.slice(0, needed + 1))
        if (!wire.write(bytes, values[name])) return refused(`${name} does not fit`)
      return done(bytes)
    },
  }
}
