import { parseYuan, amountMessage } from '@wattdeck/domain/money.ts'
import { z } from 'zod'
import { aboutPerson, secretive } from './privacy.ts'

// The content security policy of a page forbids eval, which zod's compiled parsers need. Set here, before any schema is
// created, independent of the module order of a bundler.
if ('document' in globalThis) z.config({ jitless: true })

/**
 * Schemas of single fields on the wire. Query strings and forms carry only text, so each schema parses text into a
 * value after a strict pattern has matched.
 */
export const id = z.string().regex(/^[1-9]\d{0,17}$/, '编号格式不正确')
export const idList = (max = 500) =>
  z
    .string()
    .max(max * 19)
    .regex(/^[1-9]\d{0,17}(,[1-9]\d{0,17})*$/, '编号格式不正确')
    .transform((text) => text.split(','))
    .refine((ids) => ids.length <= max, `一次最多选择${max}条记录`)
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, '请输入整数')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `请输入${min}到${max}之间的整数`)
/** A decimal with at most this many places. */
export const decimal = (min: number, max: number, places: number, label: string) =>
  z
    .string()
    .regex(new RegExp(String.raw`^-?\d{1,9}(\.\d{1,${places}})?$`), `请输入正确的${label}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${label}须在${min}到${max}之间`)
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

// Control characters break logs, and PostgreSQL rejects NUL; line breaks are allowed only in multi-line texts.
const oneLine = /^[^\p{Cc}\p{Cs}]*$/u
const manyLines = /^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u
export const text = (max: number, label: string) =>
  z
    .string()
    .trim()
    .min(1, `请输入${label}`)
    .max(max, `${label}不能超过${max}个字符`)
    .regex(oneLine, `请输入正确的${label}`)
export const lines = (max: number, label: string) =>
  z
    .string()
    .trim()
    .min(1, `请输入${label}`)
    .max(max, `${label}不能超过${max}个字符`)
    .regex(manyLines, `请输入正确的${label}`)
export const keyword = z.string().trim().max(64).regex(oneLine, '请输入正确的关键字')

/** A keyword that searches for persons. It must not be stored, so no saved view may contain it. */
export const personKeyword = aboutPerson(keyword)

export const phone = aboutPerson(z.string().regex(/^1[3-9]\d{9}$/, '请输入正确的手机号'))
export const email = aboutPerson(
  z
    .string()
    .max(120)
    .regex(/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/, '请输入正确的邮箱'),
)
export const smsCode = secretive(z.string().regex(/^\d{6}$/, '请输入6位短信验证码'))
/** The code of a province, city or district in GB/T 2260. */
export const adcode = z.string().regex(/^[1-8]\d{5}$/, '请选择正确的省市区')
export const secret = (max: number) => secretive(z.string().min(1).max(max).regex(oneLine))
export const date = z
  .string()
  // abort: otherwise zod continues with refine, and toISOString throws on an invalid date. PostgreSQL has no year 0000.
  .regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { error: '请输入正确的日期', abort: true })
  // 2026-02-30 matches the pattern but is not a date.
  .refine((day) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day), '请输入正确的日期')
/** An amount of money: decimal text on the wire, Fen inside. */
export const yuan = z.string().transform((value, context) => {
  const fen = parseYuan(value)
  if (fen !== undefined) return fen
  context.addIssue({ code: 'custom', message: amountMessage })
  return z.NEVER
})

/** In replies: times are 'YYYY-MM-DD HH:mm:ss' in Asia/Shanghai, ids are text. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
/** The same in a request, where it must be an existing time. */
export const moment = time.refine(
  (at) => !Number.isNaN(Date.parse(`${at.replace(' ', 'T')}+08:00`)),
  '请输入正确的时间',
)
/** An amount of money in a reply: yuan with two decimals. */
export const money = z.string().regex(/^-?\d{1,16}\.\d\d$/)
export const row = z.strictObject
