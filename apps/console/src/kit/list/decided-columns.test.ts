import { expect, it } from 'vitest'
import { chosenColumns, type Column, fittedWidths } from './columns.ts'
import { decidedColumns } from './decided-columns.tsx'

const column = (key: string, more: Partial<Column<object>> = {}): Column<object> => ({
  key,
  title: key.toUpperCase(),
  render: () => key,
  ...more,
})
const all = [column('a', { width: 90 }), column('b', { width: 120, hidden: true }), column('c'), column('d')]
const shown = (columns: Column<object>[]) => chosenColumns(columns, undefined).map(({ key, title }) => [key, title])

it('opens with the decided columns, two values in one cell, and hides all others', () => {
  const columns = decidedColumns(all, [['c'], ['a', 'b']])
  expect(shown(columns)).toEqual([
    ['c', 'C'],
    ['a', 'A / B'],
  ])
  expect(columns.map(({ key, hidden, below, width }) => ({ key, hidden, below, width }))).toEqual([
    { key: 'c', hidden: false, below: undefined, width: undefined },
    { key: 'a', hidden: false, below: 'b', width: 120 },
    { key: 'b', hidden: true, below: undefined, width: 120 },
    { key: 'd', hidden: true, below: undefined, width: undefined },
  ])
})

it('leaves out columns with the same value in every row', () => {
  expect(shown(decidedColumns(all, [['a', 'b'], ['c', 'd'], ['d']], ['a', 'd']))).toEqual([
    ['b', 'B'],
    ['c', 'C'],
  ])
})

it('fits columns into the room: texts shrink first, then numbers, figures last', () => {
  const [figure, no, text] = [{ width: 100 }, { width: 200 }, { width: 200, soft: true }]
  expect(fittedWidths([figure, no], 450)).toEqual([150, 300])
  expect(fittedWidths([figure, no, text], 500)).toEqual([100, 200, 200])
  expect(fittedWidths([figure, no, text], 394)).toEqual([100, 174, 120])
  expect(fittedWidths([figure, no, text], 447)).toEqual([100, 187, 160])
  expect(fittedWidths([figure, no, text], 296)).toEqual([75, 130, 90])
  expect(fittedWidths([figure, no, text], 295)).toEqual([100, 200, 200])
})
