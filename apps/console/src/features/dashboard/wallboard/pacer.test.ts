import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pacer } from './pacer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a pacer', () => {
  it('acts at once, then at most once per interval, and never drops the last change', () => {
    const acts: string[][] = []
    const pacer = new Pacer<'order' | 'device'>(1500, (kinds) => acts.push([...kinds]) > 0)
    pacer.publish('order')
    expect(acts).toEqual([['order']])
    pacer.publish('order')
    pacer.publish('device')
    vi.advanceTimersByTime(1499)
    expect(acts).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(acts).toEqual([['order'], ['order', 'device']])
    vi.advanceTimersByTime(10_000)
    expect(acts).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('retries soon while the previous call is pending', () => {
    let busy = true
    let calls = 0
    const pacer = new Pacer<'order'>(1500, () => {
      calls++
      return !busy
    })
    pacer.publish('order')
    vi.advanceTimersByTime(300)
    expect(calls).toBe(2)
    busy = false
    vi.advanceTimersByTime(300)
    expect(calls).toBe(3)
    vi.advanceTimersByTime(10_000)
    expect(calls).toBe(3)
  })

  it('clears everything when it is stopped', () => {
    const pacer = new Pacer<'order'>(1500, () => true)
    pacer.publish('order')
    pacer.publish('order')
    pacer.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
