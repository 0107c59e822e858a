import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { publishLive } from '../../../kit/live/live-bus.ts'
import { followTable } from './live-table.ts'

let sight: { visibilityState: string; listeners: (() => void)[] }
let reread: string[][]
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  sight = { visibilityState: 'visible', listeners: [] }
  vi.stubGlobal('document', {
    get visibilityState() {
      return sight.visibilityState
    },
    addEventListener: (_: string, listener: () => void) => sight.listeners.push(listener),
    removeEventListener: () => (sight.listeners = []),
  })
  reread = []
  stop = followTable((routes: readonly AnyRoute[]) =>
    reread.push(routes.map(({ path }) => path.replace(/^.*workTable\/?/, '').replace('/{name}', ''))),
  )
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
const changed = (list: string) => publishLive({ kind: 'changed', list })

describe('the work table', () => {
  it('refetches changed routes, at most once in five seconds', () => {
    for (let n = 0; n < 50; n++) {
      changed('order')
      vi.advanceTimersByTime(100)
    }
    expect(reread).toEqual([['figure', 'trend', 'toDo']])
    vi.advanceTimersByTime(10_000)
    expect(reread).toEqual([['figure', 'trend', 'toDo']])
    changed('repairTicket')
    changed('device')
    vi.advanceTimersByTime(1)
    expect(reread[1]).toEqual(['toDo', 'figure', 'plugs', 'types'])
  })

  it('ignores lists that it does not show', () => {
    changed('download')
    vi.advanceTimersByTime(20_000)
    expect(reread).toEqual([])
  })

  it('waits while the page is hidden, and then refetches with one call', () => {
    sight.visibilityState = 'hidden'
    changed('order')
    vi.advanceTimersByTime(20_000)
    expect(reread).toEqual([])
    sight.visibilityState = 'visible'
    for (const listener of sight.listeners) listener()
    vi.advanceTimersByTime(5000)
    expect(reread).toEqual([['figure', 'trend', 'toDo']])
  })

  it('polls once a minute for devices that went online or offline', () => {
    vi.advanceTimersByTime(60_001)
    expect(reread).toEqual([['figure', 'plugs']])
  })

  it('stops after the page was left', () => {
    changed('order')
    stop()
    vi.advanceTimersByTime(120_000)
    expect(reread).toEqual([])
  })
})
