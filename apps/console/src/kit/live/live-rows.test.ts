import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { publishLive } from './live-bus.ts'
import { followList, mergeRows, patchRows } from './live-rows.ts'

type Named = { id: string; name: string }
const rows = (text: string): Named[] => text.split(' ').map((one) => ({ id: one.slice(0, 1), name: one }))
const merged = (shown: string, fresh: string) => {
  const { rows: now, changed, moved } = mergeRows(rows(shown), fresh === '' ? [] : rows(fresh))
  return { now: now.map(({ name }) => name).join(' '), changed: changed.join(''), moved }
}

describe('refetched rows', () => {
  it('keep their identity when nothing has changed', () => {
    const shown = rows('a1 b1 c1')
    const { rows: now, changed, moved } = mergeRows(shown, rows('a1 b1 c1'))
    expect({ changed, moved }).toEqual({ changed: [], moved: false })
    expect(now.every((row, place) => row === shown[place])).toBe(true)
  })

  it('are patched in place by id', () => {
    expect(merged('a1 b1 c1', 'a1 b2 c1')).toEqual({ now: 'a1 b2 c1', changed: 'b', moved: false })
  })

  it.each([
    ['one has come', 'a1 b1', 'z1 a2 b1', 'a2 b1', 'a'],
    ['one has gone', 'a1 b1 c1', 'a1 c2', 'a1 b1 c2', 'c'],
    ['two have changed places', 'a1 b1 c1', 'b1 a2 c1', 'a2 b1 c1', 'a'],
    ['another took the last place', 'a1 b1', 'a1 z1', 'a1 b1', ''],
    ['all have gone', 'a1 b1', '', 'a1 b1', ''],
  ])('never move under the pointer: %s', (_, shown, fresh, now, changed) => {
    expect(merged(shown, fresh)).toEqual({ now, changed, moved: true })
  })

  it('keep number and order, and are current where nothing has moved', () => {
    const page = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), name: fc.string() }), {
      selector: ({ id }) => id,
    })
    fc.assert(
      fc.property(page, page, (shown, fresh) => {
        const { rows: now, changed, moved } = mergeRows(shown, fresh)
        expect(now.map(({ id }) => id)).toEqual(shown.map(({ id }) => id))
        expect(changed.every((id) => fresh.some((row) => row.id === id))).toBe(true)
        if (!moved) expect(now).toEqual(fresh)
      }),
    )
  })
})

describe('following a list', () => {
  let sight: { visibilityState: string; listeners: (() => void)[] }
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
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const change = (list = 'site') => publishLive({ kind: 'changed', list })
  const after = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('refetches at once, then at most once a second', async () => {
    const reread = vi.fn<() => Promise<void>>(async () => undefined)
    const stop = followList('site', reread, performance.now() + 1)
    change()
    await after(0)
    expect(reread).toHaveBeenCalledTimes(1)
    for (let n = 0; n < 20; n++) {
      change()
      await after(50)
    }
    expect(reread).toHaveBeenCalledTimes(2)
    await after(5000)
    expect(reread).toHaveBeenCalledTimes(2)
    change('role')
    await after(2000)
    expect(reread).toHaveBeenCalledTimes(2)
    stop()
    change()
    await after(2000)
    expect(reread).toHaveBeenCalledTimes(2)
  })

  it('waits for a slow response, and then refetches once more', async () => {
    const reread = vi.fn<() => Promise<void>>(() => new Promise((resolve) => void setTimeout(resolve, 3000)))
    const stop = followList('site', reread, performance.now() + 1)
    change()
    await after(10)
    change()
    change()
    await after(2000)
    expect(reread).toHaveBeenCalledTimes(1)
    await after(1000)
    expect(reread).toHaveBeenCalledTimes(2)
    stop()
  })

  it('does nothing in a hidden tab, and catches up when the tab is visible again', async () => {
    const reread = vi.fn<() => Promise<void>>(async () => undefined)
    const stop = followList('site', reread, performance.now() + 1)
    sight.visibilityState = 'hidden'
    change()
    change()
    await after(5000)
    expect(reread).not.toHaveBeenCalled()
    sight.visibilityState = 'visible'
    for (const listener of sight.listeners) listener()
    await after(0)
    expect(reread).toHaveBeenCalledTimes(1)
    stop()
  })

  it('continues after a failure, and refetches whenever the stream begins, because earlier events are lost', async () => {
    const reread = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('away')))
    const stop = followList('site', reread, performance.now() + 1)
    const hello = () => publishLive({ kind: 'hello', at: '2026-01-02 03:04:05' })
    for (const [time, sendEvent] of [hello, change, hello].entries()) {
      sendEvent()
      await after(2000)
      expect(reread).toHaveBeenCalledTimes(time + 1)
    }
    stop()
  })

  it('catches up on a change since the given time, but on none before it', async () => {
    const reread = vi.fn<() => Promise<void>>(async () => undefined)
    // Each test restarts the clock, but the bus remembers the changes of earlier tests.
    await after(1_000_000)
    change()
    await after(10)
    const sinceMs = performance.now()
    const stop = followList('site', reread, sinceMs)
    await after(2000)
    expect(reread).not.toHaveBeenCalled()
    stop()
    change()
    await after(10)
    const stopLate = followList('site', reread, sinceMs)
    await after(2000)
    expect(reread).toHaveBeenCalledTimes(1)
    stopLate()
  })

  it('refetches after a response that was already pending', async () => {
    const reread = vi
      .fn<() => Promise<'busy' | undefined>>()
      .mockResolvedValueOnce('busy')
      .mockResolvedValueOnce('busy')
      .mockResolvedValue(undefined)
    const stop = followList('site', reread, performance.now() + 1)
    change()
    await after(5000)
    expect(reread).toHaveBeenCalledTimes(3)
    stop()
  })
})

describe('rows with updates of their own', () => {
  const named = (name: string, flash: boolean) => (row: Named) => ({ row: { ...row, name }, flash })
  it('are patched in place, and flash only if their change says so', () => {
    const changes = new Map([
      ['a', named('a2', false)],
      ['c', named('c2', true)],
      ['z', named('z2', true)],
    ])
    const result = patchRows(rows('a1 b1 c1'), changes)
    expect(result?.rows.map(({ name }) => name)).toEqual(['a2', 'b1', 'c2'])
    expect(result?.flashed).toEqual(['c'])
  })
  it('change nothing if they are not shown', () => {
    expect(patchRows(rows('a1 b1'), new Map([['z', named('z2', true)]]))).toBeUndefined()
  })
})
