import type { SavedView } from '@wattdeck/contract/auth/saved-view.ts'
import { describe, expect, it } from 'vitest'
import { badgeText, movedViews, splitViews, viewNow } from './view-model.ts'

const view = (id: number, own = true): SavedView => ({
  id: String(id),
  name: `视图${id}`,
  query: `status=${id}`,
  shared: !own,
  isDefault: false,
  own,
  maker: '张三',
  mayRemove: own,
})
const views = Array.from({ length: 11 }, (_, place) => view(place + 1))
const ids = (some: readonly SavedView[]) => some.map(({ id }) => id).join(' ')

it.each([
  [{ total: 0, bounded: false }, '0'],
  [{ total: 9999, bounded: false }, '9999'],
  [{ total: 10_000, bounded: false }, '9999+'],
  [{ total: 10_000, bounded: true }, '9999+'],
])('%j is counted as %s', (count, text) => expect(badgeText(count)).toBe(text))

describe('tabs', () => {
  it('are eight at most, the others are in 更多', () => {
    const { shown, rest } = splitViews(views, undefined)
    expect([ids(shown), ids(rest)]).toEqual(['1 2 3 4 5 6 7 8', '9 10 11'])
    expect(splitViews(views.slice(0, 8), undefined).rest).toEqual([])
  })

  it('always show the active view', () => {
    const { shown, rest } = splitViews(views, '10')
    expect([ids(shown), ids(rest)]).toEqual(['1 2 3 4 5 6 7 10', '8 9 11'])
  })
})

describe('the current view', () => {
  it('is the view with exactly the same filters', () => {
    expect(viewNow(views, 'status=3', undefined).active?.id).toBe('3')
    expect(viewNow(views, '', '3')).toEqual({ active: undefined, changed: undefined })
  })

  it('may be a view with changed filters, which its owner can save', () => {
    expect(viewNow(views, 'status=3&name=a', '3').changed?.id).toBe('3')
    expect(viewNow([view(3, false)], 'status=3&name=a', '3').changed).toBeUndefined()
    expect(viewNow(views, 'status=4', '3').changed).toBeUndefined()
  })
})

it('a view moves only among the user’s own views', () => {
  const some = [view(1), view(2), view(3), view(4, false)]
  expect(movedViews(some, '2', -1)).toEqual(['2', '1', '3'])
  expect(movedViews(some, '2', 1)).toEqual(['1', '3', '2'])
  expect(movedViews(some, '1', -1)).toBeUndefined()
  expect(movedViews(some, '3', 1)).toBeUndefined()
  expect(movedViews(some, '4', -1)).toBeUndefined()
})
