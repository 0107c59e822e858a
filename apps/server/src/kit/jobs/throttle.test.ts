import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listen() {
  const throttle = new Throttle(1000)
  const calls: string[] = []
  return { throttle, calls, run: (key: string, what: string) => throttle.run(key, () => calls.push(what)) }
}

it('runs the first call at once and the last of the following calls after the interval', () => {
  const { calls, run } = listen()
  for (const what of ['a', 'b', 'c']) run('site', what)
  expect(calls).toEqual(['a'])
  vi.advanceTimersByTime(999)
  expect(calls).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(calls).toEqual(['a', 'c'])
})

it('runs at most one call per interval during a long burst', () => {
  const { calls, run } = listen()
  for (let n = 0; n < 100; n++) {
    run('site', String(n))
    vi.advanceTimersByTime(50)
  }
  expect(calls).toEqual(['0', '19', '39', '59', '79', '99'])
})

it('throttles each key separately, and evicts an idle key', () => {
  const { calls, run } = listen()
  run('site', 'a')
  run('role', 'b')
  vi.advanceTimersByTime(1000)
  run('site', 'c')
  expect(calls).toEqual(['a', 'b', 'c'])
})

it('runs no further call after stop', () => {
  const { throttle, calls, run } = listen()
  run('site', 'a')
  run('site', 'b')
  throttle.stop()
  vi.advanceTimersByTime(5000)
  expect(calls).toEqual(['a'])
})
