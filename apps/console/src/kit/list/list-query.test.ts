import { PageQuery } from '@wattdeck/contract/kit/page.ts'
import { flag, id, keyword } from '@wattdeck/contract/kit/wire.ts'
import { enabledStatus } from '@wattdeck/contract/common.ts'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { refusalOf } from './refused/filter-problems.ts'
import { clearListQuery, readListQuery, refusedFilters, viewListQuery, wantsAll, writeListQuery } from './list-query.ts'

const schema = PageQuery.extend({
  name: keyword.optional(),
  status: enabledStatus.wire.optional(),
  departmentId: id.optional(),
  unread: flag.optional(),
})
const read = (text: string) => readListQuery(schema, new URLSearchParams(text))
const write = (text: string, changes: Record<string, unknown>) =>
  writeListQuery(schema, new URLSearchParams(text), changes).toString()

describe('reading', () => {
  it('returns the defaults of the contract for an empty address', () => {
    expect(read('')).toEqual({ pageNum: 1, pageSize: 10 })
  })

  it('returns values, not texts', () => {
    expect(read('pageNum=3&pageSize=50&name=%E5%BC%A0&status=0&unread=true')).toEqual({
      pageNum: 3,
      pageSize: 50,
      name: '张',
      status: 0,
      unread: true,
    })
  })

  it('leaves out only invalid fields', () => {
    expect(read('pageNum=-1&pageSize=9999&status=7&departmentId=0x1&name=a')).toEqual({
      pageNum: 1,
      pageSize: 10,
      name: 'a',
    })
  })

  const refused = (text: string, by: z.ZodType = schema) => {
    const found = refusedFilters(by, new URLSearchParams(text))
    return found.map((filter) => [filter.name, refusalOf(by, found, filter)])
  }

  it('names each filter that cannot be applied, with the reason', () => {
    expect(refused(`status=7&departmentId=0x1&name=${'a'.repeat(200)}`)).toEqual([
      ['name', '最多 64 个字'],
      ['status', '没有这个选项'],
      ['departmentId', '编号格式不正确'],
    ])
  })

  it('does not refuse an invalid page number', () => {
    expect(refused('pageNum=-1&pageSize=9999&name=a&tab=x')).toEqual([])
  })

  it('refuses filters that contradict each other', () => {
    const days = PageQuery.extend({ from: keyword.optional(), to: keyword.optional() }).refine(
      ({ from = '', to = '9' }) => from <= to,
      '结束日期不能早于开始日期',
    )
    const reason = '结束日期不能早于开始日期'
    expect(refused('from=2&to=1', days)).toEqual([
      ['from', reason],
      ['to', reason],
    ])
    expect(refused('from=1&to=2', days)).toEqual([])
  })

  it('ignores parameters that the list does not know', () =>
    expect(read('open=5&tab=x')).toEqual({ pageNum: 1, pageSize: 10 }))
})

describe('writing', () => {
  it('goes back to the first page when a filter changes', () => {
    expect(write('pageNum=4&pageSize=20', { status: 0 })).toBe('pageSize=20&status=0')
  })

  it('keeps the filters when the page changes', () => {
    expect(write('name=a', { pageNum: 2 })).toBe('name=a&pageNum=2')
  })

  it('keeps the cursor of a deep page only together with that page', () => {
    expect(write('name=a', { pageNum: 1500, cursor: 'WzE0' })).toBe('name=a&pageNum=1500&cursor=WzE0')
    expect(write('name=a&pageNum=1500&cursor=WzE0', { pageNum: 1499, cursor: undefined })).toBe('name=a&pageNum=1499')
    expect(write('name=a&pageNum=1500&cursor=WzE0', { name: 'b' })).toBe('name=b')
  })

  it('removes an emptied filter from the address', () => {
    expect(write('name=a&status=1', { name: '  ', status: undefined })).toBe('')
  })

  it('keeps foreign parameters, and adds none that the contract does not know', () => {
    expect(write('tab=x', { name: 'b', hack: '1' })).toBe('tab=x&name=b')
  })
})

it('clearing keeps the page size and foreign parameters', () => {
  expect(clearListQuery(schema, new URLSearchParams('tab=x&name=a&pageNum=3&pageSize=50')).toString()).toBe(
    'tab=x&pageSize=50',
  )
})

describe('a view', () => {
  const show = (text: string, view: string) => viewListQuery(schema, new URLSearchParams(text), view)

  it('replaces every filter, and keeps the page size and foreign parameters', () => {
    expect(show('tab=x&name=a&pageNum=3&pageSize=50&cursor=WzE0', 'status=0').toString()).toBe(
      'tab=x&pageSize=50&status=0',
    )
  })

  it('of all rows is marked in the address, until another is shown', () => {
    const all = show('name=a', '')
    expect(all.toString()).toBe('view=all')
    expect(wantsAll(all)).toBe(true)
    expect(show('view=all', 'status=1').toString()).toBe('status=1')
  })
})
