import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { hearLive } from './live-bus.ts'

type Followed = {
  /** The routes to read again when a list changes, by the name of the list in live events. */
  meant: Readonly<Record<string, readonly AnyRoute[]>>
  /** Devices that come and go are told only to those who watch them one by one: these are read again in between. */
  polled: readonly AnyRoute[]
}

const leastMs = 5000
const pollMs = 60_000

/**
 * Calls `reread` for what has changed: at most once in five seconds, and only while the tab is seen; what happened
 * meanwhile is made up for by one call. Answers how to stop.
 */
export function followRoutes(
  { meant, polled }: Followed,
  reread: (routes: readonly AnyRoute[]) => unknown,
): () => void {
  const everything = new Set([...Object.values(meant).flat(), ...polled])
  const waiting = new Set<AnyRoute>()
  let lastAt = performance.now()
  let timer: ReturnType<typeof setTimeout> | undefined

  function run() {
    timer = undefined
    if (document.visibilityState !== 'visible') return
    const routes = [...waiting]
    waiting.clear()
    lastAt = performance.now()
    reread(routes)
  }
  function plan(routes: Iterable<AnyRoute>) {
    for (const route of routes) waiting.add(route)
    if (waiting.size > 0) timer ??= setTimeout(run, Math.max(0, lastAt + leastMs - performance.now()))
  }
  const deaf = hearLive((event) => {
    if (event.kind === 'hello') plan(everything)
    if (event.kind === 'changed') plan(meant[event.list] ?? [])
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
