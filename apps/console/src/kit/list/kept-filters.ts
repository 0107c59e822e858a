import type { z } from 'zod'
import { splitPrivate } from './private-query.ts'
import { uniqueId } from '../api/unique-id.ts'

/** Query parameter that replaces personal filters in the address: a key into the memory of this tab. */
const keptKey = 'kept'
const kept = new Map<string, string>()
/** Called on logout, together with closing the tabs. */
export const forgetFilters = (): void => kept.clear()

/** Moves personal filters out of the address into memory. A reload loses them. */
export function hidePrivate(schema: z.ZodType, search: URLSearchParams): URLSearchParams {
  const { open, hidden } = splitPrivate(schema, search)
  const text = hidden.toString()
  if (text === '') return open
  const known = [...kept].find(([, one]) => one === text)?.[0]
  const name = known ?? uniqueId()
  kept.set(name, text)
  open.set(keptKey, name)
  return open
}

/** Returns the filters of the address together with those kept in memory. */
export function showPrivate(search: URLSearchParams): URLSearchParams {
  const whole = new URLSearchParams(search)
  const hidden = kept.get(search.get(keptKey) ?? '')
  whole.delete(keptKey)
  for (const [name, text] of new URLSearchParams(hidden)) if (!whole.has(name)) whole.set(name, text)
  return whole
}
