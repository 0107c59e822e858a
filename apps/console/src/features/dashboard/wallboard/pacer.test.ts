import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pacer } from './pacer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a pacer', () => {
  it('acts at once, then at most once in its time, and leaves the last out never', () => {
    const acts: string[][] = []
    const pacer = new Pacer<'order' | 'device'>(1500, (kinds) => acts.push([...kinds]) > 0)
    pacer.say('order')
    expect(acts).toEqual([['order']])
    pacer.say('order')
    pacer.say('device')
    vi.advanceTimersByTime(1499)
    expect(acts).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(acts).toEqual([['order'], ['order', 'device']])
    vi.advanceTimersByTime(10_000)
    expect(acts).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('asks again soon while the answer to the question before is awaited', () => {
    let busy = true
    let asked = 0
    const pacer = new Pacer<'order'>(1500, () => {
      asked++
      return !busy
    })
    pacer.say('order')
    vi.advanceTimersByTime(300)
    expect(asked).toBe(2)
    busy = false
    vi.advanceTimersByTime(300)
    expect(asked).toBe(3)
    vi.advanceTimersByTime(10_000)
    expect(asked).toBe(3)
  })

  it('forgets everything when it is stopped', () => {
    const pacer = new Pacer<'order'>(1500, () => true)
    pacer.say('order')
    pacer.say('order')
    pacer.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
