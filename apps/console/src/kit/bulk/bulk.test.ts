import { describe, expect, it } from 'vitest'
import { csvOf, failureRows } from './failures.ts'
import { changedValues, mappingText, missingColumns } from './import-model.ts'
import { percentOf } from './use-job.ts'

const columns = [
  { key: 'name', title: '站点名称', required: true, note: '' },
  { key: 'phone', title: '电话', required: false, note: '' },
]

describe('a mapping', () => {
  it('is written as the route takes it', () => expect(mappingText({ name: 0, phone: 3 })).toBe('name:0,phone:3'))

  it('names the required columns that nobody matched', () => {
    expect(missingColumns(columns, { phone: 1 })).toEqual(['站点名称'])
    expect(missingColumns(columns, { name: 0 })).toEqual([])
  })
})

describe('a row that is mended', () => {
  it('sends what differs, and a masked value only when it was typed anew', () => {
    const before = { name: '旧名', phone: '138****5678' }
    expect(changedValues(before, { name: '新名', phone: '138****5678' })).toEqual({ name: '新名' })
    expect(changedValues(before, { name: '旧名', phone: '13900001111' })).toEqual({ phone: '13900001111' })
    expect(changedValues(before, { name: undefined, phone: '138****5678' })).toEqual({ name: '' })
  })
})

describe('failed rows', () => {
  it('become a sheet in which nothing calculates', () => {
    const items = [{ id: '7', label: '=1+1', status: 2 as const, reason: '类型："城堡"', values: { name: '=1+1' } }]
    expect(csvOf(failureRows(items, columns)).split('\r\n')).toEqual([
      '\uFEFF"行号","名称","站点名称","电话","失败原因"',
      `"7","'=1+1","'=1+1","","类型：""城堡"""`,
      '',
    ])
  })
})

describe('progress', () => {
  it('is in whole percent, and never through before the last row', () => {
    expect(percentOf({ total: 0, done: 0, failed: 0 })).toBe(0)
    expect(percentOf({ total: 1000, done: 990, failed: 9 })).toBe(99)
    expect(percentOf({ total: 1000, done: 990, failed: 10 })).toBe(100)
  })
})
