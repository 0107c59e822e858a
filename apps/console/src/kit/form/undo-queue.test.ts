import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { flushUnsent, onFlush, undoQueue } from './undo-queue.ts'

const send = vi.fn<(key: string, value: boolean, leaving: boolean) => Promise<void>>()
const offers = new Set<string>()
const failed = vi.fn<(error: unknown) => void>()
const newQueue = () =>
  undoQueue<boolean>({
    send,
    changed: vi.fn<() => void>(),
    offerUndo: (key) => offers.add(key),
    withdrawOffer: (key) => offers.delete(key),
    failed,
  })
const off = (key: string) => ({ key, before: true, after: false, text: '' })
const on = (key: string) => ({ key, before: false, after: true, text: '' })

beforeEach(() => {
  vi.useFakeTimers()
  offers.clear()
  failed.mockReset()
  send.mockReset()
  send.mockResolvedValue()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a change', () => {
  it('is shown at once, can be undone for five seconds, and is then sent', async () => {
    const queue = newQueue()
    queue.change(off('a'))
    expect([queue.shown('a'), queue.shown('b'), [...offers]]).toEqual([false, undefined, ['a']])
    await vi.advanceTimersByTimeAsync(4999)
    expect(send).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(send.mock.calls).toEqual([['a', false, false]])
    expect([queue.shown('a'), [...offers]]).toEqual([undefined, []])
  })

  it('that is undone is never sent', async () => {
    const queue = newQueue()
    queue.change(off('a'))
    queue.undo('a')
    await vi.runAllTimersAsync()
    expect([send.mock.calls, queue.shown('a'), [...offers]]).toEqual([[], undefined, []])
  })

  it('that is reverted by hand is never sent', async () => {
    const queue = newQueue()
    queue.change(off('a'))
    queue.change(on('a'))
    await vi.runAllTimersAsync()
    expect([send.mock.calls, queue.shown('a'), [...offers]]).toEqual([[], undefined, []])
  })

  it('of one key does not affect another key', async () => {
    const queue = newQueue()
    queue.change(off('a'))
    queue.change(off('b'))
    queue.undo('a')
    await vi.runAllTimersAsync()
    expect(send.mock.calls).toEqual([['b', false, false]])
  })

  it('stays shown until the server responds', async () => {
    const queue = newQueue()
    let answer: () => void = () => undefined
    send.mockReturnValue(
      new Promise((resolve) => {
        answer = resolve
      }),
    )
    queue.change(off('a'))
    await vi.advanceTimersByTimeAsync(5000)
    expect(queue.shown('a')).toBe(false)
    answer()
    await vi.runAllTimersAsync()
    expect(queue.shown('a')).toBeUndefined()
  })

  it('that the server rejects is rolled back, and its reason is reported', async () => {
    const queue = newQueue()
    send.mockRejectedValue(new Error('平台预警不能关闭弹窗'))
    queue.change(off('a'))
    await vi.runAllTimersAsync()
    expect(queue.shown('a')).toBeUndefined()
    expect(failed).toHaveBeenCalledExactlyOnceWith(new Error('平台预警不能关闭弹窗'))
    send.mockResolvedValue()
    queue.change(off('a'))
    await vi.runAllTimersAsync()
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('during another request is sent after it', async () => {
    const queue = newQueue()
    const order: string[] = []
    send.mockImplementation(async (_, value) => {
      order.push(`begin ${value}`)
      await new Promise((resolve) => {
        setTimeout(resolve, 8000)
      })
      order.push(`end ${value}`)
    })
    queue.change(off('a'))
    await vi.advanceTimersByTimeAsync(5000)
    queue.change(on('a'))
    await vi.runAllTimersAsync()
    expect(order).toEqual(['begin false', 'end false', 'begin true', 'end true'])
  })
})

describe('leaving', () => {
  it('sends waiting changes at once, and only once', async () => {
    const queue = newQueue()
    queue.change(off('a'))
    queue.change(off('b'))
    await queue.flush(true)
    await vi.runAllTimersAsync()
    expect(send.mock.calls).toEqual([
      ['a', false, true],
      ['b', false, true],
    ])
    expect([...offers]).toEqual([])
  })

  it('by logout waits until the changes are sent', async () => {
    const queue = newQueue()
    const stop = onFlush(() => queue.flush(false))
    queue.change(off('a'))
    await flushUnsent()
    stop()
    expect(send).toHaveBeenCalledOnce()
  })
})
