import { useEffect, useEffectEvent, useState } from 'react'
import { queryClient } from './queries.ts'

type Row = { id: string }
type Reading<T> = { queryKey: readonly unknown[]; peek: () => Promise<T[]>; updatedAt: number }

const flashMs = 1500
const nobody: ReadonlySet<string> = new Set()

/**
 * Rows on the screen follow what others do: patched in place by id, with a flash. Whether rows have come, gone or moved
 * is only told, so that nothing slips away under the pointer.
 */
export function useLiveRows<T extends Row>(liveKey: string | undefined, { queryKey, peek, updatedAt }: Reading<T>) {
  const [flashing, setFlashing] = useState(nobody)
  const [newsAt, setNewsAt] = useState<number>()

  const reread = useEffectEvent(async (merge: typeof import('./live-rows.ts').mergeRows) => {
    const stateNow = () => queryClient.getQueryState<{ rows: T[] }>(queryKey)
    const before = stateNow()
    if (before?.data === undefined || before.fetchStatus === 'fetching') return
    const fresh = await peek()
    const after = stateNow()
    // Read in full meanwhile: that is newer than what was just asked for.
    if (after?.data === undefined || after.fetchStatus === 'fetching' || after.data !== before.data) return
    const { rows, changed, moved } = merge(after.data.rows, fresh)
    const shown = { ...after.data, rows }
    if (changed.length > 0) {
      queryClient.setQueryData(queryKey, shown)
      const these = new Set(changed)
      setFlashing(these)
      setTimeout(() => setFlashing((now) => (now === these ? nobody : now)), flashMs)
    }
    setNewsAt(moved ? queryClient.getQueryState(queryKey)?.dataUpdatedAt : undefined)
  })

  useEffect(() => {
    if (liveKey === undefined) return undefined
    let stop: (() => void) | undefined
    let gone = false
    void import('./live-rows.ts').then(({ followList, mergeRows }) => {
      if (!gone) stop = followList(liveKey, () => reread(mergeRows))
    })
    return () => {
      gone = true
      stop?.()
    }
  }, [liveKey])
  return { flashing, hasNews: newsAt !== undefined && newsAt === updatedAt }
}
