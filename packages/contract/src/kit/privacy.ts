import { z } from 'zod'

/**
 * Privacy marks of a field. Personal or secret data is never written to browser storage; form drafts check the marks
 * here. The OpenAPI document contains them too.
 */
export const aboutPerson = <T extends z.ZodType>(schema: T): T => schema.meta({ personal: true })
export const secretive = <T extends z.ZodType>(schema: T): T => schema.meta({ secret: true })

/** A safety net besides the marks: a field with such a name counts as marked. */
const privateNames =
  /phone|mobile|mail|passw|secret|token|ticket|captcha|idcard|idnumber|idno|bankcard|cardno|cardnumber/i

type Parts = {
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: readonly z.ZodType[]
}

/** The schemas inside a schema, except those of named fields. */
const innerSchemas = ({ innerType, element, in: input, options = [] }: Parts) =>
  [innerType, element, input, ...options].filter((part) => part !== undefined)

/** Whether a schema or a nested schema is marked. */
function isMarked(schema: z.ZodType): boolean {
  const meta = schema.meta()
  if (meta?.['personal'] === true || meta?.['secret'] === true) return true
  const parts = schema.def as Parts
  return (
    innerSchemas(parts).some((part) => isMarked(part)) ||
    Object.entries(parts.shape ?? {}).some(([name, field]) => isPrivateField(name, field))
  )
}

/** Whether a schema or a nested schema is marked as secret. Such a reply is sent once and never stored. */
export function hasSecret(schema: z.ZodType): boolean {
  if (schema.meta()?.['secret'] === true) return true
  const parts = schema.def as Parts
  return [...innerSchemas(parts), ...Object.values(parts.shape ?? {})].some((part) => hasSecret(part))
}

/** Whether a field must not be stored. A field without a schema counts as private. */
export const isPrivateField = (name: string, schema: z.ZodType | undefined): boolean =>
  schema === undefined || privateNames.test(name) || isMarked(schema)

export const plate = /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z](?=[A-Z]*\d)[A-Z\d]{5,6}/i
/**
 * Phones, e-mail addresses and number plates, as distinct from order and device numbers, which links to a list may
 * contain.
 */
const privateTexts = [/(?<!\d)1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}(?!\d)/, /@/, plate]

/**
 * Whether a filter value must not appear in a URL, which browsers, proxies and colleagues can store. True for any value
 * of a personal field, and for personal-looking values of other fields.
 */
export const isPrivateText = (name: string, schema: z.ZodType | undefined, text: string): boolean =>
  isPrivateField(name, schema) || privateTexts.some((pattern) => pattern.test(text))

/** Header with the form-encoded part of a query that must not appear in the URL. */
export const queryHeader = 'x-query'
