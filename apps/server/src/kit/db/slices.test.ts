import { describe, expect, it } from 'vitest'
import { drainInSlices } from './slices.ts'

describe('a backlog in slices', () => {
  it('is drained in slices that grow while they are fast, up to the limit', async () => {
    const size = { least: 10, most: 40, current: 10 }
    const sizes: number[] = []
    let left = 300
    await drainInSlices(size, async (count) => {
      sizes.push(count)
      left -= count
      return left > 0
    })
    expect(sizes.slice(0, 3)).toEqual([10, 20, 40])
    expect(Math.max(...sizes)).toBe(40)
    expect(left).toBeLessThanOrEqual(0)
  })

  it('is processed in smaller slices after a failure, down to the minimum', async () => {
    const size = { least: 10, most: 1000, current: 1000 }
    const sizes: number[] = []
    const fitsIn = (limit: number) => async (count: number) => {
      sizes.push(count)
      if (count > limit) throw new Error('statement timeout')
      return false
    }
    for (let round = 0; round < 5; round++) await drainInSlices(size, fitsIn(20)).catch(() => undefined)
    expect(sizes).toEqual([1000, 250, 62, 15, 15])
    for (let round = 0; round < 2; round++) await drainInSlices(size, fitsIn(0)).catch(() => undefined)
    expect(size.current).toBe(10)
  })
})
