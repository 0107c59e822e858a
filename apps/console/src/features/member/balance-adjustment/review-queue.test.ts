import { describe, expect, it } from 'vitest'
import { nextToReview } from './review-queue.ts'

const row = (id: string, own = false) => ({ id, own })
const rows = [row('4'), row('3', true), row('2'), row('1')]

describe('the next request', () => {
  it('is the opened one, then the oldest', () => {
    expect(nextToReview(rows, [], row('2'))).toEqual({ next: row('2'), left: 3 })
    expect(nextToReview(rows, ['2'], row('2'))).toEqual({ next: row('1'), left: 2 })
    expect(nextToReview(rows, ['2', '1'], row('2'))).toEqual({ next: row('4'), left: 1 })
  })

  it('is never an own request, and undefined when all are done', () => {
    expect(nextToReview(rows, [], row('3', true)).next).toEqual(row('1'))
    expect(nextToReview(rows, ['1', '2', '4'])).toEqual({ next: undefined, left: 0 })
  })
})
