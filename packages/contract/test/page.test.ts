import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countBound, page, PageQuery } from '../src/kit/page.ts'
import { row } from '../src/kit/wire.ts'

const takes = (query: unknown) => PageQuery.safeParse(query).success

describe('PageQuery', () => {
  it('[helper.pagination-sizes] starts at the first page with 10 rows', () => {
    expect(PageQuery.parse({})).toEqual({ pageNum: 1, pageSize: 10 })
  })

  it('[helper.pagination-sizes] takes each size that the console offers', () => {
    for (const size of ['10', '20', '30', '50', '100', '500'])
      expect(PageQuery.parse({ pageSize: size }).pageSize).toBe(Number(size))
  })

  it('has an end in both directions', () => {
    expect(countBound).toBe(10_000)
    expect(takes({ pageNum: '1', pageSize: '1' })).toBe(true)
    expect(takes({ pageSize: '501' })).toBe(false)
    expect(takes({ pageSize: '0' })).toBe(false)
    expect(takes({ pageNum: '0' })).toBe(false)
    expect(takes({ pageNum: String(countBound) })).toBe(true)
    expect(takes({ pageNum: String(countBound + 1) })).toBe(false)
  })

  it('refuses what it does not know', () => expect(takes({ orderBy: 'id' })).toBe(false))
})

describe('page', () => {
  const names = page(row({ name: z.string() }))
  const full = { total: 1, bounded: false, rows: [{ name: '张三' }] }

  it('holds rows of one shape and how many there are', () => expect(names.parse(full)).toEqual(full))

  it('lets no other field out', () => {
    expect(names.safeParse({ ...full, rows: [{ name: '张三', password: 'x' }] }).success).toBe(false)
    expect(names.safeParse({ ...full, sql: 'select' }).success).toBe(false)
    expect(names.safeParse({ ...full, total: 1.5 }).success).toBe(false)
  })
})
