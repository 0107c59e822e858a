import { isPrivateField } from '@wattdeck/contract/kit/privacy.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { fieldSchema } from './zod-rule.ts'

/**
 * Unsent input of a dialog, in session storage, so that it survives a reload. Fields that the contract marks as personal
 * or secret are never written.
 */
export type Values = Record<string, unknown>
const prefix = 'draft:'
const maxLength = 20_000

const isPlain = (value: unknown): boolean => {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (Array.isArray(value)) return value.every((one) => isPlain(one))
  // JSON would not restore a file or a date of the calendar.
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).every((one) => isPlain(one))
    : false
}

const mayBeStored = (route: AnyRoute, [name, value]: [string, unknown]) =>
  isPlain(value) && !isPrivateField(name, fieldSchema(route.body, name))

/** The fields of a form that the browser may store. */
export const storableFields = (route: AnyRoute, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter((field) => mayBeStored(route, field)))

/** Whether this form has fields that a draft does not restore. */
export const hasPrivateFields = (route: AnyRoute): boolean => {
  const shape = (route.body as unknown as { shape?: Record<string, Parameters<typeof isPrivateField>[1]> }).shape ?? {}
  return Object.entries(shape).some(([name, schema]) => isPrivateField(name, schema))
}

/** FNV-1a hash: short, and it hides the name of the record. */
function digest(text: string): string {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}

/**
 * One draft for each user, form and record. The initial values of the form identify the record, so a draft is not
 * offered after the record has changed.
 */
export const draftKey = (userId: string, route: AnyRoute, openedWith: readonly unknown[]) =>
  `${prefix}${userId}:${route.path}:${digest(JSON.stringify(openedWith, withoutBigint))}`
/** Amounts of money are bigints, which JSON does not support. */
const withoutBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

export function writeDraft(key: string, route: AnyRoute, values: Values): void {
  const draft = storableFields(route, values)
  const text = JSON.stringify(draft)
  if (Object.keys(draft).length === 0 || text.length > maxLength) dropDraft(key)
  else sessionStorage.setItem(key, text)
}

/** Undefined for anything but a draft of this form: the content of session storage is not trusted. */
export function readDraft(key: string, route: AnyRoute): Values | undefined {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const draft = storableFields(route, value as Values)
    return Object.keys(draft).length > 0 ? draft : undefined
  } catch {
    return undefined
  }
}

export const dropDraft = (key: string) => sessionStorage.removeItem(key)

export function dropDrafts(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, place) => sessionStorage.key(place) ?? '')
  for (const key of keys.filter((one) => one.startsWith(prefix))) dropDraft(key)
}
