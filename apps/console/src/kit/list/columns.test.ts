import { describe, expect, it } from 'vitest'
import { antdColumn, chosenColumns, moved, orderedColumns } from './columns.ts'
import { parseChoice, parseDensity } from './table-preferences.ts'

const columns = [{ key: 'a' }, { key: 'b', hidden: true }, { key: 'c' }, { key: 'd' }]
const keys = (shown: readonly { key: string }[]) => shown.map((column) => column.key).join('')

describe('columns', () => {
  it('without a choice are those of the page, less the ones it hides', () => {
    expect(keys(chosenColumns(columns, undefined))).toBe('acd')
  })

  it('with a choice stand in its order, and only its own hidden ones are hidden', () => {
    expect(keys(chosenColumns(columns, { order: ['d', 'c', 'b', 'a'], hidden: ['c'] }))).toBe('dba')
  })

  it('that are new since the choice stand at their place, hidden if the page hides them', () => {
    expect(keys(orderedColumns(columns, { order: ['d', 'a'], hidden: [] }))).toBe('dbca')
    expect(keys(chosenColumns(columns, { order: ['d', 'a'], hidden: [] }))).toBe('dca')
  })

  it('that are gone are forgotten', () => {
    expect(keys(chosenColumns(columns, { order: ['x', 'a', 'b', 'c', 'd'], hidden: ['x'] }))).toBe('abcd')
  })

  it('move one place, and not over the edge', () => {
    expect(moved(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
    expect(moved(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c'])
  })

  it('become columns of antd without undefined props', () => {
    const made = antdColumn({ key: 'a', title: 'A', width: 90, fixed: 'end', render: (row: { n: number }) => row.n })
    expect(made).toMatchObject({ key: 'a', title: 'A', width: 90, fixed: 'end', ellipsis: false })
    expect(Object.keys(made)).not.toContain('align')
    expect(made.render?.(undefined, { n: 5 }, 0)).toBe(5)
  })
})

describe('kept habits', () => {
  it('are read back', () => {
    expect(parseChoice('{"order":["a"],"hidden":[]}')).toEqual({ order: ['a'], hidden: [] })
    expect(parseDensity('small')).toBe('small')
  })

  it.each([null, '', 'null', '{', '[]', '{"order":[1],"hidden":[]}', '{"order":["a"]}'])('are none for %j', (kept) => {
    expect(parseChoice(kept)).toBeUndefined()
    expect(parseDensity(kept)).toBe('medium')
  })
})
