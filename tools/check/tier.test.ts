import { describe, expect, it } from 'vitest'
import { draw, readSelection, sliceOf } from './tier.ts'

describe('the sample of the gate', () => {
  const items = Array.from({ length: 47 }, (_, place) => place)

  it('covers everything in ten consecutive commits', () => {
    for (const slices of [2, 5, 10]) {
      const covered = Array.from({ length: 10 }, (_, turn) => sliceOf(items, slices, 237 + turn)).flat()
      expect(new Set(covered).size).toBe(items.length)
    }
  })

  it('is the same when a commit is checked again', () => {
    expect(draw('inputs', items, 5)).toEqual(draw('inputs', items, 5))
    expect(sliceOf(items, 10, 3)).toEqual(sliceOf(items, 10, 13))
  })

  it('draws each item at most once, and other items for another loop', () => {
    expect(draw('inputs', items, 100).toSorted((a, b) => a - b)).toEqual(items)
    expect(draw('inputs', items, 10)).not.toEqual(draw('pages', items, 10))
  })

  it('can be repeated with the variables that a failure prints', () => {
    expect(readSelection({ CHECK_TIER: 'full', CHECK_SEED: 'abc', CHECK_TURN: '7' })).toEqual({
      tier: 'full',
      seed: 'abc',
      turn: 7,
    })
  })
})
