import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { hearLive } from '../../../kit/live/live-bus.ts'

const { figure, trend, plugs, types, toDo } = workTable
const everything: readonly AnyRoute[] = [figure, trend, plugs, types, toDo]

/** What a change of a list means for the work table. */
const meant: Readonly<Record<string, readonly AnyRoute[]>> = {
  order: [figure, trend, toDo],
  device: [figure, plugs, types, toDo],
  alarm: [figure, plugs, toDo],
  member: [figure],
  refundOrder: [toDo],
  rechargeRefund: [toDo],
  enterpriseRefund: [toDo],
  balanceAdjustment: [toDo],
  reconciliation: [toDo],
  repairTicket: [toDo, figure],
}

const leastMs = 5000
/** Devices that come and go are told only to those who watch them one by one: they are looked for in between. */
const pollMs = 60_000

/**
 * Calls `reread` for what has changed: at most once in five seconds, and only while the tab is seen; what happened
 * meanwhile is made up for by one call. Answers how to stop.
 */
export function followTable(reread: (routes: readonly AnyRoute[]) => unknown): () => void {
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
  function plan(routes: readonly AnyRoute[]) {
    for (const route of routes) waiting.add(route)
    if (waiting.size > 0) timer ??= setTimeout(run, Math.max(0, lastAt + leastMs - performance.now()))
  }
  const deaf = hearLive((event) => {
    if (event.kind === 'hello') plan(everything)
    if (event.kind === 'changed') plan(meant[event.list] ?? [])
  })
  const poll = setInterval(() => plan([figure, plugs]), pollMs)
  const onSight = () => plan([])
  document.addEventListener('visibilitychange', onSight)
  return () => {
    clearTimeout(timer)
    clearInterval(poll)
    deaf()
    document.removeEventListener('visibilitychange', onSight)
  }
}
