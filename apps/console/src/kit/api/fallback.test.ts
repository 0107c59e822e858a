import { describe, expect, it } from 'vitest'
import { withFallback, regionName } from './fallback.ts'

describe('withFallback', () => {
  it('returns the result', async () => {
    await expect(withFallback(Promise.resolve([1, 2]), [])).resolves.toEqual({ value: [1, 2], stale: false })
  })

  it('[error.statistics-silent] returns the empty result, marked stale, instead of throwing', async () => {
    await expect(withFallback(Promise.reject<number[]>(new Error('down')), [])).resolves.toEqual({
      value: [],
      stale: true,
    })
  })
})

describe('region names', () => {
  it.each([[null], [undefined], ['']])('[error.unknown-region] %j is 未知', (name) => {
    expect(regionName(name)).toBe('未知')
  })

  it('are unchanged when present', () => expect(regionName('浙江省')).toBe('浙江省'))
})
