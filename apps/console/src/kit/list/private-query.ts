import { isPrivateText } from '@wattdeck/contract/kit/privacy.ts'
import type { z } from 'zod'

type Shape = Record<string, z.ZodType>

/** Splits a query into fields that may appear in an address and personal ones. Unknown fields stay in the address. */
export function splitPrivate(schema: z.ZodType, search: URLSearchParams) {
  const shape = (schema as unknown as { shape?: Shape }).shape ?? {}
  const [open, hidden] = [new URLSearchParams(), new URLSearchParams()]
  for (const [name, text] of search) {
    const isHidden = Object.hasOwn(shape, name) && isPrivateText(name, shape[name], text)
    ;(isHidden ? hidden : open).append(name, text)
  }
  return { open, hidden }
}
