import type { z } from 'zod'

type Parts = { innerType?: z.ZodType; element?: z.ZodType; shape?: Record<string, z.ZodType> }

/** Removes personal fields from a reply to a wallboard, also masked ones. The contract marks personal fields. */
export function withoutPersons(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (schema.meta()?.['personal'] !== undefined) return null
  const { innerType, element, shape } = schema.def as Parts
  if (innerType !== undefined) return withoutPersons(innerType, value)
  if (element !== undefined) return (value as unknown[]).map((one) => withoutPersons(element, one))
  if (shape === undefined) return value
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => {
      const field = shape[name]
      return [name, field === undefined ? one : withoutPersons(field, one)]
    }),
  )
}
