import { filterFields } from '@wattdeck/contract/kit/list-filter.ts'
import { wireText } from '@wattdeck/domain/params.ts'
import type { z } from 'zod'
import { ownerField, ownerLevels, ownerLabels } from '../../owner-region/owner.ts'
import type { Filter } from '../filters.ts'
import type { RefusedFilter } from '../list-query.ts'

/** The label of a field of the query. */
export function fieldLabel<Q>(filters: readonly Filter<Q>[], name: string): string {
  const level = ownerLevels.find((one) => ownerField(one) === name)
  if (level !== undefined) return ownerLabels[level]
  const found = filters.find((filter) => {
    if (filter.kind === 'owner') return false
    if (filter.kind === 'region') return /^(?:province|city|district)Code$/.test(name)
    return filter.kind === 'dates' ? filter.from === name || filter.to === name : filter.name === name
  })
  return found === undefined || found.kind === 'owner' ? '筛选条件' : found.label
}

/** Typed values that cannot be filtered by, with the reason. Other filters are selected from options. */
export function typedProblems<Q>(
  filters: readonly Filter<Q>[],
  schema: z.ZodType,
  values: Record<string, unknown>,
): Map<string, string> {
  const fields = filterFields(schema)
  return new Map(
    filters.flatMap((filter): [string, string][] => {
      const text = filter.kind === 'text' ? wireText(values[filter.name] ?? '').trim() : ''
      if (filter.kind !== 'text' || text === '') return []
      const field = fields.get(filter.name)
      const problem = field && filterProblem(field, text)
      return problem === undefined ? [] : [[filter.name, `${filter.label}：${problem}`]]
    }),
  )
}

/** Why a filter of an address cannot be applied: by itself, or together with the others. */
export function refusalOf(schema: z.ZodType, refused: readonly RefusedFilter[], { name, text }: RefusedFilter): string {
  const field = filterFields(schema).get(name)
  const together = Object.fromEntries(refused.map((one) => [one.name, one.text]))
  return (field && filterProblem(field, text)) ?? filterProblem(schema, together) ?? '无法识别'
}

/** Why a value cannot be filtered by, or undefined. */
function filterProblem(schema: z.ZodType, value: unknown): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (issue === undefined) return undefined
  if (issue.code === 'invalid_value') return '没有这个选项'
  if (issue.code === 'too_big' && issue.origin === 'string') return `最多 ${issue.maximum} 个字`
  return issue.message
}
