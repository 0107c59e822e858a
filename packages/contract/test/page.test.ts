import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countBound, page, pageOfCursor, PageQuery, Totals } from '../src/kit/page.ts'
import { row } from '../src/kit/wire.ts'

const takes = (query: unknown) => PageQuery.safeParse(query).success

describe('PageQuery', () => {
  it('[helper.pagination-sizes] starts at the first page with 10 rows', () => {
    expect(PageQuery.parse({})).toEqual({ pageNum: 1, pageSize: 10 })
  })

  it('[helper.pagination-sizes] accepts each size of the console', () => {
    for (const size of ['10', '20', '30', '50', '100', '500'])
      expect(PageQuery.parse({ pageSize: size }).pageSize).toBe(Number(size))
  })

  it('has bounds in both directions', () => {
    expect(countBound).toBe(2_000)
    expect(takes({ pageNum: '1', pageSize: '1' })).toBe(true)
    expect(takes({ pageSize: '501' })).toBe(false)
    expect(takes({ pageSize: '0' })).toBe(false)
    expect(takes({ pageNum: '0' })).toBe(false)
    expect(takes({ pageNum: '999999999' })).toBe(true)
    expect(takes({ pageNum: '1000000000' })).toBe(false)
  })

  it('refuses unknown fields', () => expect(takes({ orderBy: 'id' })).toBe(false))
})

describe('page', () => {
  const names = page(row({ name: z.string() }))
  const full = { total: 1, bounded: false, cursor: null, rows: [{ name: '张三' }] }

  it('contains rows of one shape and their count', () => expect(names.parse(full)).toEqual(full))

  it('refuses unknown fields', () => {
    expect(names.safeParse({ ...full, rows: [{ name: '张三', password: 'x' }] }).success).toBe(false)
    expect(names.safeParse({ ...full, sql: 'select' }).success).toBe(false)
    expect(names.safeParse({ ...full, total: 1.5 }).success).toBe(false)
  })
})

describe('a cursor', () => {
  const cursor = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')

  it('contains the number of its page', () => {
    expect(pageOfCursor(cursor([1501, '864']))).toBe(1501)
    expect(pageOfCursor(cursor([2, '2026-01-02 03:04:05.123456+08', '9']))).toBe(2)
  })

  it.each(['', 'x', cursor({}), cursor([]), cursor([0, '1']), cursor([1.5, '1']), cursor(['2', '1'])])(
    'is not %j',
    (text) => expect(pageOfCursor(text)).toBeUndefined(),
  )
})

it('totals are exact counts and decimal sums', () => {
  const totals = { count: 123_456, sums: { parking: '5678', amount: '1234.50' } }
  expect(Totals.parse(totals)).toEqual(totals)
  expect(Totals.safeParse({ ...totals, sums: { parking: 5678 } }).success).toBe(false)
})
