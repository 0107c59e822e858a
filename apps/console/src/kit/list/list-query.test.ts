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
  it('gives the defaults of the contract for an empty address', () => {
    expect(read('')).toEqual({ pageNum: 1, pageSize: 10 })
  })

  it('gives values, not texts', () => {
    expect(read('pageNum=3&pageSize=50&name=%E5%BC%A0&status=0&unread=true')).toEqual({
      pageNum: 3,
      pageSize: 50,
      name: '张',
      status: 0,
      unread: true,
    })
  })

  it('leaves out only the field that somebody garbled', () => {
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

  it('refuses no page number: the first page has all that is wanted', () => {
    expect(refused('pageNum=-1&pageSize=9999&name=a&tab=x')).toEqual([])
  })

  it('refuses filters that make no sense together', () => {
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

  it('passes over what the list does not know', () =>
    expect(read('open=5&tab=x')).toEqual({ pageNum: 1, pageSize: 10 }))
})

describe('writing', () => {
  it('goes back to the first page when a filter changes', () => {
    expect(write('pageNum=4&pageSize=20', { status: 0 })).toBe('pageSize=20&status=0')
  })

  it('keeps the filters when the page changes', () => {
    expect(write('name=a', { pageNum: 2 })).toBe('name=a&pageNum=2')
  })

  it('keeps the place of a deep page only together with that page', () => {
    expect(write('name=a', { pageNum: 1500, cursor: 'WzE0' })).toBe('name=a&pageNum=1500&cursor=WzE0')
    expect(write('name=a&pageNum=1500&cursor=WzE0', { pageNum: 1499, cursor: undefined })).toBe('name=a&pageNum=1499')
    expect(write('name=a&pageNum=1500&cursor=WzE0', { name: 'b' })).toBe('name=b')
  })

  it('takes an emptied filter out of the address', () => {
    expect(write('name=a&status=1', { name: '  ', status: undefined })).toBe('')
  })

  it('keeps what belongs to others, and adds nothing the contract does not know', () => {
    expect(write('tab=x', { name: 'b', hack: '1' })).toBe('tab=x&name=b')
  })
})

it('clearing keeps the page size and what belongs to others', () => {
  expect(clearListQuery(schema, new URLSearchParams('tab=x&name=a&pageNum=3&pageSize=50')).toString()).toBe(
    'tab=x&pageSize=50',
  )
})

describe('a view', () => {
  const show = (text: string, view: string) => viewListQuery(schema, new URLSearchParams(text), view)

  it('takes the place of every filter, and keeps the page size and what belongs to others', () => {
    expect(show('tab=x&name=a&pageNum=3&pageSize=50&cursor=WzE0', 'status=0').toString()).toBe(
      'tab=x&pageSize=50&status=0',
    )
  })

  it('of all rows says so, until another is shown', () => {
    const all = show('name=a', '')
    expect(all.toString()).toBe('view=all')
    expect(wantsAll(all)).toBe(true)
    expect(show('view=all', 'status=1').toString()).toBe('status=1')
  })
})
