import { batchStatus } from '@wattdeck/contract/system/batch.ts'
import { describe, expect, it } from 'vitest'
import { csvOf, failureRows } from './failures.ts'
import { changedValues, mappingText, missingColumns } from './import-model.ts'
import { percentOf } from './use-job.ts'

const columns = [
  { key: 'name', title: '站点名称', required: true, note: '' },
  { key: 'phone', title: '电话', required: false, note: '' },
]

describe('a mapping', () => {
  it('is serialised for the route', () => expect(mappingText({ name: 0, phone: 3 })).toBe('name:0,phone:3'))

  it('lists the required columns that are not mapped', () => {
    expect(missingColumns(columns, { phone: 1 })).toEqual(['站点名称'])
    expect(missingColumns(columns, { name: 0 })).toEqual([])
  })
})

describe('a corrected row', () => {
  it('sends only changed values, and a masked value only when it was replaced', () => {
    const before = { name: '旧名', phone: '138****5678' }
    expect(changedValues(before, { name: '新名', phone: '138****5678' })).toEqual({ name: '新名' })
    expect(changedValues(before, { name: '旧名', phone: '13900001111' })).toEqual({ phone: '13900001111' })
    expect(changedValues(before, { name: undefined, phone: '138****5678' })).toEqual({ name: '' })
  })
})

describe('failed rows', () => {
  it('become a sheet without formulas', () => {
    const items = [{ id: '7', label: '=1+1', status: 2 as const, reason: '类型："城堡"', values: { name: '=1+1' } }]
    expect(csvOf(failureRows(items, columns)).split('\r\n')).toEqual([
      '\uFEFF"行号","名称","站点名称","电话","失败原因"',
      `"7","'=1+1","'=1+1","","类型：""城堡"""`,
      '',
    ])
  })
})

describe('progress', () => {
  it('is in whole percent, and 100 only after the last row', () => {
    const status = batchStatus.code.running
    expect(percentOf({ total: 1000, done: 990, failed: 9, status })).toBe(99)
    expect(percentOf({ total: 1000, done: 990, failed: 10, status })).toBe(100)
  })

  it('of a job without rows is 0 until the job is done', () => {
    const { waiting, running, cancelled, done } = batchStatus.code
    const percents = [waiting, running, cancelled, done].map((status) =>
      percentOf({ total: 0, done: 0, failed: 0, status }),
    )
    expect(percents).toEqual([0, 0, 0, 100])
  })
})
