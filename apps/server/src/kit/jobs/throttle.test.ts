import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listen() {
  const throttle = new Throttle(1000)
  const heard: string[] = []
  return { throttle, heard, say: (key: string, what: string) => throttle.run(key, () => heard.push(what)) }
}

it('says the first at once and the last of those that follow a second later', () => {
  const { heard, say } = listen()
  for (const what of ['a', 'b', 'c']) say('site', what)
  expect(heard).toEqual(['a'])
  vi.advanceTimersByTime(999)
  expect(heard).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(heard).toEqual(['a', 'c'])
})

it('never says more than one a second, however long it goes on', () => {
  const { heard, say } = listen()
  for (let n = 0; n < 100; n++) {
    say('site', String(n))
    vi.advanceTimersByTime(50)
  }
  expect(heard).toEqual(['0', '19', '39', '59', '79', '99'])
})

it('knows keys apart, and forgets one that has been quiet', () => {
  const { heard, say } = listen()
  say('site', 'a')
  say('role', 'b')
  vi.advanceTimersByTime(1000)
  say('site', 'c')
  expect(heard).toEqual(['a', 'b', 'c'])
})

it('says nothing more once it is stopped', () => {
  const { throttle, heard, say } = listen()
  say('site', 'a')
  say('site', 'b')
  throttle.stop()
  vi.advanceTimersByTime(5000)
  expect(heard).toEqual(['a'])
})
