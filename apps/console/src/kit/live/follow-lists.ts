import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { subscribeLive } from './live-bus.ts'

type Follow = {
  /** The routes that a change of a list concerns, by the name of the list. */
  routes: Readonly<Record<string, readonly AnyRoute[]>>
  /** Polled in addition, because not every change of them is announced. */
  polled: readonly AnyRoute[]
  leastMs: number
  pollMs: number
}

/**
 * Calls `reread` with the routes whose lists have changed: throttled to once in `leastMs`, and only while the tab is
 * visible. One call covers all changes in between. Returns a function that stops it.
 */
export function followLists(
  { routes, polled, leastMs, pollMs }: Follow,
  reread: (routes: readonly AnyRoute[]) => unknown,
): () => void {
  const waiting = new Set<AnyRoute>()
  let lastAt = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined

  function run() {
    timer = undefined
    if (document.visibilityState !== 'visible') return
    const due = [...waiting]
    waiting.clear()
    lastAt = performance.now()
    reread(due)
  }
  function plan(due: readonly AnyRoute[]) {
    for (const route of due) waiting.add(route)
    if (waiting.size > 0) timer ??= setTimeout(run, Math.max(0, lastAt + leastMs - performance.now()))
  }
  const deaf = subscribeLive((event) => {
    if (event.kind === 'hello') plan(Object.values(routes).flat())
    if (event.kind === 'changed') plan(routes[event.list] ?? [])
  })
  const poll = setInterval(() => plan(polled), pollMs)
  const onSight = () => plan([])
  document.addEventListener('visibilitychange', onSight)
  return () => {
    clearTimeout(timer)
    clearInterval(poll)
    deaf()
    document.removeEventListener('visibilitychange', onSight)
  }
}
