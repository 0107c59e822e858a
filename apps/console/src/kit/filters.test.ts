import { describe, expect, it } from 'vitest'
import { activeChips, type Filter, filterKey, formValues, queryChanges } from './filters.ts'

type Query = { name?: string; status?: number; from?: string; to?: string }
const filters: Filter<Query>[] = [
  { kind: 'text', name: 'name', label: '姓名' },
  { kind: 'select', name: 'status', label: '状态', options: [{ value: 0, label: '停用' }] },
  { kind: 'dates', from: 'from', to: 'to', label: '日期' },
]

it('a range of days is one field of the form and two of the query', () => {
  const values = formValues(filters, { name: 'a', from: '2026-01-01', to: '2026-01-31' })
  expect(values).toEqual({ name: 'a', status: undefined, from: ['2026-01-01', '2026-01-31'] })
  expect(queryChanges(filters, values)).toEqual({
    name: 'a',
    status: undefined,
    from: '2026-01-01',
    to: '2026-01-31',
  })
  expect(filters.map((filter) => filterKey(filter))).toEqual(['name', 'status', 'from'])
})

it('a cleared range empties both ends', () => {
  expect(queryChanges(filters, { from: null })).toMatchObject({ from: undefined, to: undefined })
})

describe('chips', () => {
  it('name what is filtered by, zero too, and how to take it away', () => {
    expect(activeChips(filters, { name: '', status: 0, from: '2026-01-01' })).toEqual([
      { key: 'status', text: '状态：停用', cleared: { status: undefined } },
      { key: 'from', text: '日期：2026-01-01 至 不限', cleared: { from: undefined, to: undefined } },
    ])
  })

  it('show the value itself when no option has it', () => {
    expect(activeChips(filters, { status: 9 }).map((chip) => chip.text)).toEqual(['状态：9'])
  })
})
