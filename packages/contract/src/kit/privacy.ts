import { z } from 'zod'

/**
 * Marks of a field. What is about a person, or secret, is never written to a browser's storage: drafts of forms ask
 * here. The marks also stand in the OpenAPI document.
 */
export const aboutPerson = <T extends z.ZodType>(schema: T): T => schema.meta({ personal: true })
export const secretive = <T extends z.ZodType>(schema: T): T => schema.meta({ secret: true })

/** A net below the marks: a field with such a name is taken for marked. */
const telling = /phone|mobile|mail|passw|secret|token|ticket|captcha|idcard|idnumber|idno|bankcard|cardno|cardnumber/i

type Parts = {
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: readonly z.ZodType[]
}

/** Whether a schema, or anything inside it, is marked. */
function isMarked(schema: z.ZodType): boolean {
  const meta = schema.meta()
  if (meta?.['personal'] === true || meta?.['secret'] === true) return true
  const { innerType, element, in: input, shape = {}, options = [] } = schema.def as Parts
  const inside = [innerType, element, input, ...options].filter((part) => part !== undefined)
  return (
    inside.some((part) => isMarked(part)) || Object.entries(shape).some(([name, field]) => isPrivateField(name, field))
  )
}

/** Whether a field must stay out of storage. Without a schema nobody can say, so it must. */
export const isPrivateField = (name: string, schema: z.ZodType | undefined): boolean =>
  schema === undefined || telling.test(name) || isMarked(schema)
