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

export const plate = /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z](?=[A-Z]*\d)[A-Z\d]{5,6}/i
/** Phones, e-mail addresses and number plates: these are told apart from numbers of orders and devices, which links to a list hold. */
const tellingTexts = [/(?<!\d)1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}(?!\d)/, /@/, plate]

/**
 * Whether what a filter says must stay out of addresses, which browsers, proxies and colleagues keep: of a field about a
 * person anything, of any other what looks like it.
 */
export const isPrivateText = (name: string, schema: z.ZodType | undefined, text: string): boolean =>
  isPrivateField(name, schema) || tellingTexts.some((pattern) => pattern.test(text))

/** Header with the form-encoded part of a query that must not appear in the URL of a call. */
export const queryHeader = 'x-query'
