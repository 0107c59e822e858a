import type { z } from 'zod'
import { filterFields } from './list-filter.ts'
import { plate } from './privacy.ts'

function isPersonal(field: z.ZodType | undefined): boolean {
  const inner = (field as { unwrap?: () => z.ZodType } | undefined)?.unwrap?.() ?? field
  return (inner?.meta() as { personal?: boolean } | undefined)?.personal === true
}

/** Phones, e-mail addresses, numbers of identity and bank cards, number plates. */
const personal = [/1[3-9]\d{9}/, /@/, /\d{16}/, plate]
export const looksPersonal = (text: string) => {
  const dense = text.replaceAll(/[\s-]/g, '')
  return personal.some((pattern) => pattern.test(dense))
}

/** Why a filter cannot be kept as a view of this list, or undefined. */
export function viewProblem(query: z.ZodType, text: string): string | undefined {
  const fields = filterFields(query)
  const given = [...new URLSearchParams(text)]
  if (given.length === 0) return '请先设置筛选条件'
  const known = given.every(([name, value]) => fields.get(name)?.safeParse(value).success === true)
  if (!known || new Set(given.map(([name]) => name)).size < given.length) return '筛选条件不正确'
  const kept = given.some(([name, value]) => isPersonal(fields.get(name)) || looksPersonal(value))
  return kept ? '筛选条件含有姓名、手机号等个人信息，不能保存为视图' : undefined
}
