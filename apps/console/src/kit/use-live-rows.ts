import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { RowChange } from './live-rows.ts'
import { queryClient } from './queries.ts'

type Row = { id: string }
type LiveParts = typeof import('./live-rows.ts')

/** Hears what is new about single rows, until the answered function is called. One function for a list, always the same. */
export type WatchRows<T> = (
  ids: readonly string[],
  tell: (changes: ReadonlyMap<string, RowChange<T>>) => void,
) => () => void
type Reading<T> = {
  queryKey: readonly unknown[]
  peek: () => Promise<T[]>
  updatedAt: number
  rows: readonly T[] | undefined
}
type Wish<T> = { liveKey: string | undefined; watch: WatchRows<T> | undefined }

const flashMs = 1500
const nobody: ReadonlySet<string> = new Set()

/**
 * Rows on the screen follow what others do: patched in place by id, with a flash. Whether rows have come, gone or moved
 * is only told, so that nothing slips away under the pointer.
 */
export function useLiveRows<T extends Row>({ liveKey, watch }: Wish<T>, reading: Reading<T>) {
  const { queryKey, peek, updatedAt } = reading
  const [flashing, setFlashing] = useState(nobody)
  const [newsAt, setNewsAt] = useState<number>()
  const patched = useRef<unknown>(undefined)

  const stateNow = () => queryClient.getQueryState<{ rows: T[] }>(queryKey)
  function flash(ids: readonly string[]) {
    if (ids.length === 0) return
    const these = new Set(ids)
    setFlashing(these)
    setTimeout(() => setFlashing((now) => (now === these ? nobody : now)), flashMs)
  }

  const reread = useEffectEvent(async (merge: LiveParts['mergeRows']) => {
    const before = stateNow()
    if (before?.data === undefined || before.fetchStatus === 'fetching') return
    const fresh = await peek()
    const after = stateNow()
    if (after?.data === undefined || after.fetchStatus === 'fetching') return
    // Read in full meanwhile: that is newer than what was just asked for.
    if (after.data !== before.data && after.data !== patched.current) return
    const { rows, changed, moved } = merge(after.data.rows, fresh)
    if (changed.length > 0) queryClient.setQueryData(queryKey, { ...after.data, rows })
    flash(changed)
    setNewsAt(moved ? stateNow()?.dataUpdatedAt : undefined)
  })
  const patch = useEffectEvent((parts: LiveParts, changes: ReadonlyMap<string, RowChange<T>>) => {
    const now = stateNow()
    const made = now?.data && parts.patchRows(now.data.rows, changes)
    if (made === undefined) return
    // The page is as old as before: only these rows are newer.
    queryClient.setQueryData(queryKey, { ...now?.data, rows: made.rows }, { updatedAt: now?.dataUpdatedAt ?? 0 })
    patched.current = stateNow()?.data
    flash(made.flashed)
  })

  useEffect(
    () =>
      liveKey === undefined
        ? undefined
        : whenLoaded(({ followList, mergeRows }) => followList(liveKey, () => reread(mergeRows))),
    [liveKey],
  )
  const ids = watch && reading.rows ? reading.rows.map((row) => row.id).join(',') : ''
  useEffect(
    () =>
      watch === undefined || ids === ''
        ? undefined
        : whenLoaded((parts) => watch(ids.split(','), (changes) => patch(parts, changes))),
    [watch, ids],
  )
  return { flashing, hasNews: newsAt !== undefined && newsAt === updatedAt }
}

/** Begins when the parts are there, unless it has been ended before. */
function whenLoaded(begin: (parts: LiveParts) => () => void): () => void {
  let stop: (() => void) | undefined
  let gone = false
  void import('./live-rows.ts').then((parts) => {
    if (!gone) stop = begin(parts)
  })
  return () => {
    gone = true
    stop?.()
  }
}
