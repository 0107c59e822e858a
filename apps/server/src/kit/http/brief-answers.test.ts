import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ShortLivedCache } from './brief-answers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('fetches once for callers within the interval, and again after it', async () => {
  const answers = new ShortLivedCache<number>(3000)
  let fetchCount = 0
  const ask = async () => ++fetchCount
  expect(await Promise.all([answers.get('a', ask), answers.get('a', ask)])).toEqual([1, 1])
  vi.advanceTimersByTime(2999)
  expect(await answers.get('a', ask)).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await answers.get('a', ask)).toBe(2)
})

it('caches the answers of two keys separately', async () => {
  const answers = new ShortLivedCache<string>(3000)
  expect(await answers.get('a', async () => 'a')).toBe('a')
  expect(await answers.get('b', async () => 'b')).toBe('b')
})

it('does not cache a failure', async () => {
  const answers = new ShortLivedCache<string>(3000)
  await expect(answers.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await answers.get('a', async () => 'back')).toBe('back')
})

it('caches at most 5,000 keys', async () => {
  const answers = new ShortLivedCache<number>(3000)
  const ask = vi.fn<() => Promise<number>>(async () => 1)
  for (let key = 0; key <= 5000; key++) await answers.get(String(key), ask)
  await answers.get('5000', ask)
  expect(ask).toHaveBeenCalledTimes(5001)
  await answers.get('0', ask)
  expect(ask).toHaveBeenCalledTimes(5002)
})
