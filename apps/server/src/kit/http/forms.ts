import type { AnyRoute, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { Refusal } from './refusal.ts'

const maxKeys = 200

/**
 * Parses query strings and forms strictly: one value per key, no inherited names, a bounded number of keys. A repeated key
 * is refused instead of becoming a list, so that a filter cannot be widened by sending it twice.
 */
export function parseFields(text: string): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>
  let count = 0
  for (const [key, value] of new URLSearchParams(text)) {
    if (++count > maxKeys) throw new Refusal(422, '参数过多')
    if (key in fields) throw new Refusal(422, `参数 ${key.slice(0, 40)} 重复`)
    fields[key] = value
  }
  return fields
}

/** Parses a list's filter from the address of its page, as the list's own route does. */
export const filterOf = <R extends AnyRoute>(route: R, text: string): QueryOf<R> =>
  route.query.parse({ ...parseFields(text) }) as QueryOf<R>
