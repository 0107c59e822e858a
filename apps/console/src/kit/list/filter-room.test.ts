import { expect, it } from 'vitest'
import { filtersInRow } from './filter-room.ts'
import type { Filter } from './filters.ts'

type Query = Record<string, string>
const texts = (count: number): Filter<Query>[] =>
  Array.from({ length: count }, (_, place) => ({ kind: 'text', name: `f${place}`, label: '' }))

it('up to five filters are all in sight, however narrow it is', () => {
  expect(filtersInRow(texts(5), 300)).toBe(5)
  expect(filtersInRow([], 300)).toBe(0)
})

it('of more than five as many as one row holds beside its buttons, and one at least', () => {
  expect(filtersInRow(texts(9), 272 + 4 * 208)).toBe(4)
  expect(filtersInRow(texts(9), 272 + 4 * 208 - 1)).toBe(3)
  expect(filtersInRow(texts(6), 5000)).toBe(6)
  expect(filtersInRow(texts(6), 0)).toBe(1)
  const days: Filter<Query> = { kind: 'dates', from: 'from', to: 'to', label: '' }
  expect(filtersInRow([days, ...texts(6)], 272 + 272 + 208)).toBe(2)
})
