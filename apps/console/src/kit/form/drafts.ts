import { isPrivateField } from '@wattdeck/contract/kit/privacy.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { fieldSchema } from './zod-rule.ts'

/**
 * What somebody typed into a dialog and has not sent yet, in session storage, so that a reload does not take it. Fields
 * that are personal or secret are never written; the contract's marks decide.
 */
export type Values = Record<string, unknown>
const prefix = 'draft:'
const maxLength = 20_000

const isPlain = (value: unknown): boolean => {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every((one) => isPlain(one))
  // A file or a calendar's date would come back as something else.
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).every((one) => isPlain(one))
    : false
}

const mayBeKept = (route: AnyRoute, [name, value]: [string, unknown]) =>
  isPlain(value) && !isPrivateField(name, fieldSchema(route.body, name))

/** The part of a form that a browser may keep. */
export const keepable = (route: AnyRoute, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter((field) => mayBeKept(route, field)))

/** Whether a restored draft of this form lacks something that had to be typed again. */
export const leavesOut = (route: AnyRoute): boolean => {
  const shape = (route.body as unknown as { shape?: Record<string, Parameters<typeof isPrivateField>[1]> }).shape ?? {}
  return Object.entries(shape).some(([name, schema]) => isPrivateField(name, schema))
}

/** FNV-1a: short, and the record's name cannot be read from it. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

/**
 * One draft for each person, form and record. The record is known by what the form was opened with: had it been changed
 * meanwhile, the draft would not fit it any more, and is not offered.
 */
export const draftKey = (userId: string, route: AnyRoute, openedWith: readonly unknown[]) =>
  `${prefix}${userId}:${route.path}:${digest(JSON.stringify(openedWith, withoutBigint))}`
/** Amounts of money are bigints, which JSON does not know. */
const withoutBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

export function writeDraft(key: string, route: AnyRoute, values: Values): void {
  const kept = keepable(route, values)
  const text = JSON.stringify(kept)
  if (Object.keys(kept).length === 0 || text.length > maxLength) dropDraft(key)
  else sessionStorage.setItem(key, text)
}

/** Undefined for whatever is no draft of this form: session storage may hold anything. */
export function readDraft(key: string, route: AnyRoute): Values | undefined {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const kept = keepable(route, value as Values)
    return Object.keys(kept).length > 0 ? kept : undefined
  } catch {
    return undefined
  }
}

export const dropDraft = (key: string) => sessionStorage.removeItem(key)

export function dropDrafts(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, place) => sessionStorage.key(place) ?? '')
  for (const key of keys.filter((one) => one.startsWith(prefix))) dropDraft(key)
}
