import type { z } from 'zod'
import { splitPrivate } from './private-query.ts'
import { uniqueId } from '../api/unique-id.ts'

/** Query parameter that replaces personal filters in the address: a key into the memory of this tab. */
const searchParameter = 'kept'
const hiddenFilters = new Map<string, string>()
/** Called on logout, together with closing the tabs. */
export const clearPrivateFilters = (): void => hiddenFilters.clear()

/** Moves personal filters out of the address into memory. A reload loses them. */
export function hidePrivate(schema: z.ZodType, search: URLSearchParams): URLSearchParams {
  const { open, hidden } = splitPrivate(schema, search)
  const text = hidden.toString()
  if (text === '') return open
  const existingName = [...hiddenFilters].find(([, one]) => one === text)?.[0]
  const name = existingName ?? uniqueId()
  hiddenFilters.set(name, text)
  open.set(searchParameter, name)
  return open
}

/** Returns the filters of the address together with those kept in memory. */
export function showPrivate(search: URLSearchParams): URLSearchParams {
  const whole = new URLSearchParams(search)
  const hidden = hiddenFilters.get(search.get(searchParameter) ?? '')
  whole.delete(searchParameter)
  for (const [name, text] of new URLSearchParams(hidden)) if (!whole.has(name)) whole.set(name, text)
  return whole
}
