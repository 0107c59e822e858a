import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { z } from 'zod'

/** Inputs derived from the contract, so that every new route is tested automatically. */
type JsonSchema = {
  type?: string
  pattern?: string
  enum?: string[]
  const?: string
  minLength?: number
  maxLength?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  format?: string
}
type Place = 'params' | 'query' | 'body'
export type Field = { place: Place; name: string; schema: JsonSchema; required: boolean }
export type Input = Record<Place, Record<string, string>>

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

// The loops read the fields of each route a thousand times.
const fieldCache = new WeakMap<AnyRoute, Field[]>()
export function fieldsOf(route: AnyRoute): Field[] {
  const fields = fieldCache.get(route) ?? readFields(route)
  fieldCache.set(route, fields)
  return fields
}

function readFields(route: AnyRoute): Field[] {
  return (['params', 'query', 'body'] as const).flatMap((place) => {
    // A raw body from a foreign system has no declared fields.
    if (place === 'body' && route.encoding === 'raw') return []
    const { properties = {}, required = [] } = schemaOf(route[place])
    return Object.entries(properties).map(([name, schema]) => ({
      place,
      name,
      schema,
      required: required.includes(name),
    }))
  })
}

const patternsOf = (schema: JsonSchema): string[] => [
  ...(schema.pattern === undefined ? [] : [schema.pattern]),
  ...(schema.allOf ?? []).flatMap(patternsOf),
]

/** A field that takes an id or a list of ids. */
export const isId = ({ schema }: Field) =>
  patternsOf(schema).some((pattern) => pattern.startsWith(String.raw`^[1-9]\d{0,17}`))

/** One path of the tree, so that a form with a region is accepted. */
const regions: Record<string, string> = {
  provinceCode: '330000',
  cityCode: '330100',
  districtCode: '330106',
  province: '330000',
  city: '330100',
  district: '330106',
}

let serial = 0
const letters = () => `t${(++serial).toString(36)}${process.pid.toString(36)}`

/**
 * A value that the field accepts. The kind of a text follows from its pattern, or from its name where the pattern is
 * loose.
 */
function sampleOf(field: Field, ids: (field: Field) => string): string {
  const { schema, name } = field
  if (isId(field)) return ids(field)
  const pattern = patternsOf(schema).join(' ')
  if (schema.enum !== undefined) return schema.enum[0] ?? ''
  if (pattern.includes('1[3-9]')) return `13${String(Date.now() + ++serial).slice(-9)}`
  if (pattern.includes(String.raw`[1-8]\d{5}`)) return regions[name] ?? '330000'
  if (schema.format === 'uuid') return crypto.randomUUID()
  if (pattern.includes('@')) return `${letters()}@example.cn`
  if (name === 'menuKey') return `1.1.${100 + (++serial % 800)}`
  if (name === 'path' || name === 'route') return `/seeker/api/${letters()}`
  if (pattern.includes('^wx')) return `wx${(++serial).toString(16).padStart(16, '0')}`
  if (name === 'domain') return 'mini.example.cn'
  if (name === 'networks') return '198.51.100.0/24'
  if (name === 'color' || name === 'themeColor') return '#1890FF'
  if (name === 'ticket' || name === 'invite' || name === 'state') return 'x'.repeat(43)
  if (['unitPrice', 'amount', 'expected', 'counted', 'received'].includes(name)) return '12.50'
  if (name === 'expiresOn') return '2030-01-02'
  if (name === 'from' || name === 'to') return '2026-01-02'
  if (name === 'polygon') return '120.1,30.2;120.3,30.2;120.3,30.4'
  if (name === 'icon') return 'menu'
  if (name === 'lng') return '120.1'
  if (name === 'lat') return '30.2'
  if (name === 'openHours') return '06:00-23:00'
  if (name === 'insuredUntil' || name === 'serviceUntil') return '2030-01-02'
  if (/^(service|created)(From|To)$/.test(name)) return '2026-01-02'
  if (name === 'beginAt' || name === 'endAt') return `2026-01-02 0${name === 'beginAt' ? 3 : 4}:00:00`
  if (name === 'deviceNo' || name === 'wireId') return `D${letters()}00`
  if (name === 'imei') return `86${String(Date.now() + ++serial).padStart(13, '0')}`
  if (name === 'iccid') return `898600${String(Date.now() + ++serial).padStart(13, '0')}`
  if (name === 'filter') return 'status=1'
  if (name === 'columns') return 'code,name'
  if (name === 'mapping') return 'name:0,type:1,province:2,organiseName:3'
  if (name === 'creditCode') return '914403001922038216'
  if (name === 'listKey') return '/seeker/api/employee/pageList'
  if (name === 'query') return 'status=1'
  if (name === 'captchaCode') return '1234'
  if (name === 'code' && pattern.includes(String.raw`\d{6}`)) return '123456'
  if (name === 'code' && /\[A-Z/.test(pattern)) return letters().toUpperCase()
  if (pattern.includes(String.raw`^\d{2}$`)) return '02'
  if (name === 'heartbeatS') return '180'
  if (name === 'options') return '0=关\n1=开'
  if (name === 'defaultValue') return '1'
  if (pattern.includes(String.raw`\d{1,9}`)) return '1'
  if (/password/i.test(name)) return 'Sample-pass-2026'
  return letters()
}

export function sampleInput(route: AnyRoute, ids: (field: Field) => string, optional = true): Input {
  const input: Input = { params: {}, query: {}, body: {} }
  for (const field of fieldsOf(route)) {
    if (field.required || optional) input[field.place][field.name] = sampleOf(field, ids)
  }
  return input
}

/** Texts that have broken systems before. */
export const hostile: string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\r\nInjected: 1',
  '\u001B[31m',
  '\uD800',
  '\u202Etxt',
  '💥'.repeat(20),
  'ａｂｃ',
  "'; drop table menu; --",
  '%',
  '_',
  '\\',
  '%25%27',
  '../../etc/passwd',
  '{{7*7}}',
  '${jndi:ldap://127.0.0.1/}',
  '<script>alert(1)</script>',
  '=1+1',
  '-1',
  '0',
  '00',
  '+1',
  '1e3',
  '1.5',
  'NaN',
  'Infinity',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999999999999',
  '0x10',
  '1,2,3',
  ',',
  '1,,2',
  '1,'.repeat(600),
  'true',
  'false',
  'null',
  'undefined',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(65),
  'a'.repeat(5000),
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '2026-13-01',
  'up',
  'down',
  '*',
  '?',
  '#',
  '&',
  ';',
  '\t',
  '\u00A0',
  '\uFEFF',
  'İ',
  'ß',
  '13800000000',
  '10000000000',
]
