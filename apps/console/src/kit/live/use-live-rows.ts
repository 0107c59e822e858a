import { useEffect, useEffectEvent, useState } from 'react'
import type { RowChange } from './live-rows.ts'

type Row = { id: string }
type LiveParts = typeof import('./live-rows.ts')

/** Subscribes to changes of single rows; returns the function that unsubscribes. Must be a stable function for each list. */
export type WatchRows<T> = (
  rows: readonly T[],
  onUpdate: (changes: ReadonlyMap<string, RowChange<T>>) => void,
) => () => void
type Reading<T> = {
  queryKey: readonly unknown[]
  peek: () => Promise<T[]>
  updatedAt: number
  rows: readonly T[] | undefined
}
type Params<T> = { liveKey: string | undefined; watch: WatchRows<T> | undefined }

const flashMs = 1500
const noRows: ReadonlySet<string> = new Set()

/**
 * Visible rows follow the changes of other users: they are patched in place by id, with a flash. Added, removed or moved
 * rows are only announced, so that no row moves under the pointer.
 */
export function useLiveRows<T extends Row>({ liveKey, watch }: Params<T>, reading: Reading<T>) {
  const { queryKey, peek, updatedAt } = reading
  const [flashing, setFlashing] = useState(noRows)
  const [movedAt, setMovedAt] = useState<number>()

  function flash(ids: readonly string[]) {
    if (ids.length === 0) return
    const these = new Set(ids)
    setFlashing(these)
    setTimeout(() => setFlashing((now) => (now === these ? noRows : now)), flashMs)
  }
  const reread = useEffectEvent(async ({ rereadPage }: LiveParts) => {
    const outcome = await rereadPage(queryKey, peek)
    if (outcome === undefined || outcome === 'busy') return outcome
    flash(outcome.changed)
    setMovedAt(outcome.movedAt)
    return undefined
  })
  const patch = useEffectEvent(({ patchPage }: LiveParts, changes: ReadonlyMap<string, RowChange<T>>) =>
    flash(patchPage(queryKey, changes)),
  )

  const shownRows = useEffectEvent(() => reading.rows ?? [])

  useEffect(() => {
    if (liveKey === undefined) return undefined
    // The page is being read from now on, and its first change may come before the parts are loaded.
    const sinceMs = performance.now()
    return whenLoaded((parts) => parts.followList(liveKey, () => reread(parts), sinceMs))
  }, [liveKey])
  const ids = watch && reading.rows ? reading.rows.map((row) => row.id).join(',') : ''
  useEffect(
    () =>
      watch === undefined || ids === ''
        ? undefined
        : whenLoaded((parts) => watch(shownRows(), (changes) => patch(parts, changes))),
    [watch, ids],
  )
  return { flashing, hasNews: movedAt !== undefined && movedAt === updatedAt }
}

/** Begins when the parts are loaded, unless it has been stopped before. */
function whenLoaded(begin: (parts: LiveParts) => () => void): () => void {
  let stop: (() => void) | undefined
  let isStopped = false
  void import('./live-rows.ts').then((parts) => {
    if (!isStopped) stop = begin(parts)
  })
  return () => {
    isStopped = true
    stop?.()
  }
}
