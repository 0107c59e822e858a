import { describe, expect, it } from 'vitest'
import { drainInSlices } from './slices.ts'

describe('a backlog in slices', () => {
  it('is worked off to its end, in larger slices while they are fast, never beyond the largest', async () => {
    const size = { least: 10, most: 40, current: 10 }
    const taken: number[] = []
    let left = 300
    await drainInSlices(size, async (count) => {
      taken.push(count)
      left -= count
      return left > 0
    })
    expect(taken.slice(0, 3)).toEqual([10, 20, 40])
    expect(Math.max(...taken)).toBe(40)
    expect(left).toBeLessThanOrEqual(0)
  })

  it('is asked for less after a slice that failed, never below the smallest', async () => {
    const size = { least: 10, most: 1000, current: 1000 }
    const asked: number[] = []
    const fitsIn = (limit: number) => async (count: number) => {
      asked.push(count)
      if (count > limit) throw new Error('statement timeout')
      return false
    }
    for (let round = 0; round < 5; round++) await drainInSlices(size, fitsIn(20)).catch(() => undefined)
    expect(asked).toEqual([1000, 250, 62, 15, 15])
    for (let round = 0; round < 2; round++) await drainInSlices(size, fitsIn(0)).catch(() => undefined)
    expect(size.current).toBe(10)
  })
})
