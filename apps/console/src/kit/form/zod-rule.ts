import { wireText } from '@wattdeck/domain/params.ts'
import type { z } from 'zod'

type Shape = Record<string, z.ZodType>
type FormRule = { validator: (rule: unknown, value: unknown) => Promise<void> }

export const fieldSchema = (body: z.ZodType, field: string): z.ZodType | undefined =>
  (body as unknown as { shape?: Shape }).shape?.[field]

export const isRequired = (schema: z.ZodType | undefined) =>
  schema !== undefined && !schema.safeParse(undefined).success

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The message for one field of a form, by the contract's own schema; undefined when it is valid. */
export function fieldProblem(
  schema: z.ZodType | undefined,
  value: unknown,
  { encoding, missing }: { encoding: string; missing: string },
): string | undefined {
  if (!schema) return undefined
  if (isEmpty(value)) return isRequired(schema) ? missing : undefined
  // A form field is sent as text, so the schema validates the text.
  const parsed = schema.safeParse(encoding === 'json' ? value : wireText(value))
  return parsed.success ? undefined : (parsed.error.issues[0]?.message ?? missing)
}

/** An antd rule from a field of a route's body. */
export function zodRule(body: z.ZodType, field: string, how: { encoding: string; missing: string }): FormRule {
  const schema = fieldSchema(body, field)
  return {
    validator: (_, value) => {
      const problem = fieldProblem(schema, value, how)
      return problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem))
    },
  }
}
