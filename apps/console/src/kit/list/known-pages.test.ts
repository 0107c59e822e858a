import { countBound } from '@wattdeck/contract/kit/page.ts'
import { describe, expect, it } from 'vitest'
import {
  canReach,
  isDeep,
  jumpProblem,
  lastPage,
  withPageReply,
  linkCursor,
  emptyPages,
  pageRequest,
  withLinkCursor,
} from './known-pages.ts'

const cursorOf = (page: number, place = '9') => Buffer.from(JSON.stringify([page, place])).toString('base64url')
const reply = (pageNum: number, place?: string) => ({
  total: null,
  bounded: false,
  cursor: cursorOf(pageNum + 1, place),
})
const fresh = emptyPages('key', 10)
const counted = withPageReply(fresh, 1, { ...reply(1), total: countBound, bounded: true })
/** State after paging one by one up to this page. */
const paged = (to: number, from = counted) => {
  let known = from
  for (let page = 2; page <= to; page++) known = withPageReply(known, page, reply(page))
  return known
}
const bounded = { total: countBound, bounded: true }

describe('the request of a page', () => {
  it('counts at the first read, and when the same page is read again', () => {
    expect(pageRequest(fresh, 1)).toEqual({})
    expect(pageRequest(counted, 1)).toEqual({})
  })

  it('does not count again when paging, and starts at the nearest known page before', () => {
    expect(pageRequest(counted, 2)).toEqual({ cursor: cursorOf(2), skipCount: true })
    expect(pageRequest(counted, 7)).toEqual({ cursor: cursorOf(2), skipCount: true })
    expect(pageRequest(paged(9), 7)).toEqual({ cursor: cursorOf(7), skipCount: true })
    expect(pageRequest(paged(9), 1)).toEqual({ skipCount: true })
  })

  it('keeps the count while paging', () => {
    expect(paged(5).count).toEqual({ total: countBound, bounded: true })
  })
})

describe('the known pages', () => {
  it('drop later cursors when the rows have moved', () => {
    const known = paged(5)
    expect([...known.cursors.keys()]).toEqual([2, 3, 4, 5, 6])
    const same = withPageReply(known, 1, { ...reply(1), total: 7, bounded: false })
    expect([...same.cursors.keys()]).toEqual([2, 3, 4, 5, 6])
    const moved = withPageReply(known, 2, reply(2, '8'))
    expect([...moved.cursors]).toEqual([
      [2, cursorOf(2)],
      [3, cursorOf(3, '8')],
    ])
  })

  it('contain no page after the last one', () => {
    const known = withPageReply(paged(5), 3, { total: 30, bounded: false, cursor: null })
    expect([...known.cursors.keys()]).toEqual([2, 3])
    expect(lastPage(known, { total: 30, bounded: false })).toBe(3)
  })

  it('take the cursor of a link, unless its page is known already', () => {
    expect(pageRequest(withLinkCursor(fresh, cursorOf(1400)), 1500)).toEqual({ cursor: cursorOf(1400) })
    expect(withLinkCursor(counted, cursorOf(2, '7'))).toBe(counted)
    expect(withLinkCursor(fresh, 'garbled')).toBe(fresh)
    expect(withLinkCursor(fresh, undefined)).toBe(fresh)
  })
})

describe('a reachable page', () => {
  it('is within the count bound of a known page', () => {
    expect(canReach(fresh, 201)).toBe(true)
    expect(canReach(fresh, 202)).toBe(false)
    expect(canReach(counted, 202)).toBe(true)
    expect(canReach(paged(1200), 1401)).toBe(true)
    expect(canReach(paged(1200), 1402)).toBe(false)
    expect(canReach(fresh, 0)).toBe(false)
    expect(canReach(emptyPages('key', 500), 5)).toBe(true)
    expect(canReach(emptyPages('key', 500), 6)).toBe(false)
  })

  it('may be the next one beyond the bound once it is known', () => {
    expect(lastPage(counted, bounded)).toBe(200)
    expect(lastPage(paged(200), bounded)).toBe(201)
    expect(lastPage(fresh, { total: 0, bounded: false })).toBe(1)
  })

  it('is required of a typed number, with a reason otherwise', () => {
    const exact = { total: 95, bounded: false }
    expect(jumpProblem(fresh, exact, 10)).toBeUndefined()
    expect(jumpProblem(fresh, exact, 11)).toBe('共 10 页')
    expect(jumpProblem(fresh, bounded, 201)).toBeUndefined()
    expect(jumpProblem(fresh, bounded, 5000)).toBe('最多可跳至第 201 页，请逐页翻看或缩小查询范围')
    for (const typed of [0, -1, 1.5, Number.NaN]) expect(jumpProblem(fresh, exact, typed)).toBe('请输入正确的页码')
  })
})

describe('the link to a page', () => {
  it('carries a cursor only beyond the bound', () => {
    expect(linkCursor(paged(201), 5)).toBeUndefined()
    expect(linkCursor(paged(201), 201)).toBeUndefined()
    expect(isDeep(fresh, 201)).toBe(false)
    expect(isDeep(fresh, 202)).toBe(true)
  })

  it('carries the cursor of a hundred pages before, so that a reload can page back, too', () => {
    const link = linkCursor(paged(1500), 1500)
    expect(link).toBe(cursorOf(1400))
    const opened = withLinkCursor(fresh, link)
    expect(canReach(opened, 1499)).toBe(true)
    expect(canReach(opened, 1399)).toBe(false)
    expect(linkCursor(opened, 1450)).toBe(cursorOf(1400))
  })

  it('carries the cursor that the jump started from, when no nearer one is known', () => {
    expect(linkCursor(paged(1000), 1150)).toBe(cursorOf(1001))
  })
})
