import { useEffect, useEffectEvent, useState } from 'react'
import type { RowChange } from './live-rows.ts'

type Row = { id: string }
type LiveParts = typeof import('./live-rows.ts')

/** Hears what is new about single rows, until the answered function is called. One function for a list, always the same. */
export type WatchRows<T> = (
  rows: readonly T[],
  tell: (changes: ReadonlyMap<string, RowChange<T>>) => void,
) => () => void
type Reading<T> = {
  queryKey: readonly unknown[]
  peek: () => Promise<T[]>
  updatedAt: number
  rows: readonly T[] | undefined
}
type Params<T> = { liveKey: string | undefined; watch: WatchRows<T> | undefined }

const flashMs = 1500
const nobody: ReadonlySet<string> = new Set()

/**
 * Rows on the screen follow what others do: patched in place by id, with a flash. Whether rows have come, gone or moved
 * is only told, so that nothing slips away under the pointer.
 */
export function useLiveRows<T extends Row>({ liveKey, watch }: Params<T>, reading: Reading<T>) {
  const { queryKey, peek, updatedAt } = reading
  const [flashing, setFlashing] = useState(nobody)
  const [newsAt, setNewsAt] = useState<number>()

  function flash(ids: readonly string[]) {
    if (ids.length === 0) return
    const these = new Set(ids)
    setFlashing(these)
    setTimeout(() => setFlashing((now) => (now === these ? nobody : now)), flashMs)
  }
  const reread = useEffectEvent(async ({ rereadPage }: LiveParts) => {
    const news = await rereadPage(queryKey, peek)
    if (news === undefined || news === 'busy') return news
    flash(news.changed)
    setNewsAt(news.movedAt)
    return undefined
  })
  const patch = useEffectEvent(({ patchPage }: LiveParts, changes: ReadonlyMap<string, RowChange<T>>) =>
    flash(patchPage(queryKey, changes)),
  )

  const shownRows = useEffectEvent(() => reading.rows ?? [])

  useEffect(() => {
    if (liveKey === undefined) return undefined
    // The page is read from now on, and its first change may come before the parts are there.
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
