import { describe, expect, it } from 'vitest'
import { antdColumn, chosenColumns, moved, orderedColumns } from './columns.ts'
import { parseChoice, parseDensity } from './table-preferences.ts'

const columns = [{ key: 'a' }, { key: 'b', hidden: true }, { key: 'c' }, { key: 'd' }]
const keys = (shown: readonly { key: string }[]) => shown.map((column) => column.key).join('')

describe('columns', () => {
  it('without a choice are those of the page, except hidden ones', () => {
    expect(keys(chosenColumns(columns, undefined))).toBe('acd')
  })

  it('with a choice follow its order, and only its own hidden ones are hidden', () => {
    expect(keys(chosenColumns(columns, { order: ['d', 'c', 'b', 'a'], hidden: ['c'] }))).toBe('dba')
  })

  it('that are newer than the choice keep their position, hidden if the page hides them', () => {
    expect(keys(orderedColumns(columns, { order: ['d', 'a'], hidden: [] }))).toBe('dbca')
    expect(keys(chosenColumns(columns, { order: ['d', 'a'], hidden: [] }))).toBe('dca')
  })

  it('that no longer exist are ignored', () => {
    expect(keys(chosenColumns(columns, { order: ['x', 'a', 'b', 'c', 'd'], hidden: ['x'] }))).toBe('abcd')
  })

  it('move one position, but not beyond the ends', () => {
    expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c'])
  })

  it('become columns of antd without undefined props', () => {
    const result = antdColumn({ key: 'a', title: 'A', width: 90, fixed: 'end', render: (row: { n: number }) => row.n })
    expect(result).toMatchObject({ key: 'a', title: 'A', width: 90, fixed: 'end', ellipsis: false })
    expect(Object.keys(result)).not.toContain('align')
    expect(result.render?.(undefined, { n: 5 }, 0)).toBe(5)
  })
})

describe('stored preferences', () => {
  it('are parsed', () => {
    expect(parseChoice('{"order":["a"],"hidden":[]}')).toEqual({ order: ['a'], hidden: [] })
    expect(parseDensity('small')).toBe('small')
  })

  it.each([null, '', 'null', '{', '[]', '{"order":[1],"hidden":[]}', '{"order":["a"]}'])(
    'are the defaults for %j',
    (text) => {
      expect(parseChoice(text)).toBeUndefined()
      expect(parseDensity(text)).toBe('medium')
    },
  )
})
