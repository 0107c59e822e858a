import type { z } from 'zod'
import { filterFields } from './list-filter.ts'
import { plate } from './privacy.ts'

function isPersonal(field: z.ZodType | undefined): boolean {
  const inner = (field as { unwrap?: () => z.ZodType } | undefined)?.unwrap?.() ?? field
  return (inner?.meta() as { personal?: boolean } | undefined)?.personal === true
}

/** Phones, e-mail addresses, identity and bank card numbers, number plates. */
const personal = [/1[3-9]\d{9}/, /@/, /\d{16}/, plate]
export const looksPersonal = (text: string) => {
  const dense = text.replaceAll(/[\s-]/g, '')
  return personal.some((pattern) => pattern.test(dense))
}

/** Why a filter cannot be saved as a view of this list; undefined when it can. */
export function viewProblem(query: z.ZodType, text: string): string | undefined {
  const fields = filterFields(query)
  const fieldEntries = [...new URLSearchParams(text)]
  if (fieldEntries.length === 0) return '请先设置筛选条件'
  const isValid = fieldEntries.every(([name, value]) => fields.get(name)?.safeParse(value).success === true)
  if (!isValid || new Set(fieldEntries.map(([name]) => name)).size < fieldEntries.length) return '筛选条件不正确'
  const hasPersonalData = fieldEntries.some(([name, value]) => isPersonal(fields.get(name)) || looksPersonal(value))
  return hasPersonalData ? '筛选条件含有姓名、手机号等个人信息，不能保存为视图' : undefined
}
