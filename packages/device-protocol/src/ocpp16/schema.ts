/** Message schemas of the standard, with the error code for each violation. The message types derive from them. */

/** Error codes of OCPP-J 1.6. Older editions spell Occurrence with one r; both are read, this one is written. */
export type ErrorCode =
  | 'NotImplemented'
  | 'NotSupported'
  | 'InternalError'
  | 'ProtocolError'
  | 'SecurityError'
  | 'FormationViolation'
  | 'PropertyConstraintViolation'
  | 'OccurrenceConstraintViolation'
  | 'TypeConstraintViolation'
  | 'GenericError'

/** A violation: its error code and the path of the field. */
export type Fault = { code: ErrorCode; at: string }
/** `type` exists only at compile time and carries T. */
export type Schema<T> = { check: (value: unknown, at: string) => Fault | undefined; type?: T }
export type TypeOf<S> = S extends Schema<infer T> ? T : never

const fault = (code: ErrorCode, at: string): Fault => ({ code, at })
const wrongType = (at: string) => fault('TypeConstraintViolation', at)
const wrongValue = (at: string) => fault('PropertyConstraintViolation', at)

/** A text with a maximum length in code points, as the standard counts. */
export const text = (max: number): Schema<string> => ({
  check: (value, at) => {
    if (typeof value !== 'string') return wrongType(at)
    return value.length > max && Array.from(value).length > max ? wrongValue(at) : undefined
  },
})

/** Integers of the standard have 32 bits, although its schemas set no bound. */
const maxInt = 0x7fff_ffff
export const int = (min = -maxInt, max = maxInt): Schema<number> => ({
  check: (value, at) => {
    if (!Number.isInteger(value)) return wrongType(at)
    return Number(value) < min || Number(value) > max ? wrongValue(at) : undefined
  },
})

const checkFlag = (value: unknown, at: string) => (typeof value === 'boolean' ? undefined : wrongType(at))
export const flag: Schema<boolean> = { check: checkFlag }

export const oneOf = <const W extends string>(...words: readonly W[]): Schema<W> => {
  const allowed: ReadonlySet<unknown> = new Set(words)
  return {
    check: (value, at) => {
      if (typeof value !== 'string') return wrongType(at)
      return allowed.has(value) ? undefined : wrongValue(at)
    },
  }
}

const time = /^\d{4}-(?:0[1-9]|1[0-2])-(\d\d)[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/
const longestTime = 40
export const dateTime: Schema<string> = {
  check: (value, at) => {
    if (typeof value !== 'string') return wrongType(at)
    if (value.length > longestTime) return wrongValue(at)
    const day = Number(time.exec(value)?.[1])
    // Date accepts a day past the end of the month and moves it to the next month.
    return new Date(value).getTime() >= 0 && isDayOf(value, day) ? undefined : wrongValue(at)
  },
}
function isDayOf(value: string, day: number): boolean {
  const [year, month] = [Number(value.slice(0, 4)), Number(value.slice(5, 7))]
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export const list = <T>(item: Schema<T>): Schema<T[]> => ({
  check: (value, at) => {
    if (!Array.isArray(value)) return wrongType(at)
    for (const [place, one] of value.entries()) {
      const violation = item.check(one, `${at}[${place}]`)
      if (violation !== undefined) return violation
    }
    return undefined
  },
})

export type Payload = { readonly [key: string]: unknown }
const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Any object, for content that is neither read nor sent. */
export const anything: Schema<Payload> = { check: (value, at) => (isPayload(value) ? undefined : wrongType(at)) }

type Fields = { readonly [key: string]: Schema<unknown> }
type Values<N extends Fields, O extends Fields> = { [K in keyof N]: TypeOf<N[K]> } & {
  [K in keyof O]?: TypeOf<O[K]> | undefined
}

/** An object with required and optional fields, and no others. */
export function record<N extends Fields, O extends Fields>(needed: N, optional: O): Schema<Values<N, O>> {
  const fields = new Map(Object.entries({ ...needed, ...optional }))
  const names = Object.keys(needed)
  return {
    check: (value, at) => {
      if (!isPayload(value)) return wrongType(at)
      const path = (name: string) => (at === '' ? name : `${at}.${name}`)
      const missing = names.find((name) => !Object.hasOwn(value, name))
      if (missing !== undefined) return fault('OccurrenceConstraintViolation', path(missing))
      for (const [name, fieldValue] of Object.entries(value)) {
        const field = fields.get(name)
        if (field === undefined) return fault('FormationViolation', path(name.slice(0, 50)))
        const violation = field.check(fieldValue, path(name))
        if (violation !== undefined) return violation
      }
      return undefined
    },
  }
}
