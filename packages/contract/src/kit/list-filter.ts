import type { z } from 'zod'
import { pagingFields } from './page.ts'
import { plate } from './privacy.ts'

/** The fields of a list's query that say what is looked for, not which page of it. */
export function filterFields(query: z.ZodType): Map<string, z.ZodType> {
  const { shape = {} } = query as { shape?: Record<string, z.ZodType> }
  return new Map(Object.entries(shape).filter(([name]) => !pagingFields.includes(name)))
}

/**
 * A filter as text: what the query admits of a search string, by name, so that one filter is always written one way.
 * Saved views and batches carry it.
 */
export function filterText(query: z.ZodType, search: URLSearchParams): string {
  const admitted = new URLSearchParams()
  for (const [name, field] of filterFields(query)) {
    const value = search.get(name)?.trim() ?? ''
    if (value !== '' && field.safeParse(value).success) admitted.set(name, value)
  }
  admitted.sort()
  return admitted.toString()
}

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
