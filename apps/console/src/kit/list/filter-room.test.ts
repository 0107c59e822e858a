import { expect, it } from 'vitest'
import { filtersInRow } from './filter-room.ts'
import type { Filter } from './filters.ts'

type Query = Record<string, string>
const texts = (count: number): Filter<Query>[] =>
  Array.from({ length: count }, (_, place) => ({ kind: 'text', name: `f${place}`, label: '' }))
const [buttons, unfold, text] = [198, 74, 168]

it('shows all filters if one row holds them', () => {
  expect(filtersInRow([], 300)).toBe(0)
  expect(filtersInRow(texts(5), buttons + 5 * text)).toBe(5)
  expect(filtersInRow(texts(9), 5000)).toBe(9)
})

it('otherwise shows as many as one row holds beside its buttons, at least one', () => {
  expect(filtersInRow(texts(5), buttons + 5 * text - 1)).toBe(4)
  expect(filtersInRow(texts(9), buttons + unfold + 4 * text)).toBe(4)
  expect(filtersInRow(texts(9), buttons + unfold + 4 * text - 1)).toBe(3)
  expect(filtersInRow(texts(6), 0)).toBe(1)
  const days: Filter<Query> = { kind: 'dates', from: 'from', to: 'to', label: '' }
  expect(filtersInRow([days, ...texts(6)], buttons + unfold + 268 + text)).toBe(2)
})
