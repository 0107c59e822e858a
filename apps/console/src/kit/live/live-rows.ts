import { hearLive, lastChangeMs } from './live-bus.ts'
import { queryClient } from '../api/queries.ts'

type Row = { id: string }
export type Merged<T> = {
  /** The rows that were shown, in their order, each as it is now. */
  rows: T[]
  changed: string[]
  /** Rows have come, gone or moved: only the person decides when they are shown. */
  moved: boolean
}

/** What of a page that was read again can be shown without moving anything under the pointer. */
export function mergeRows<T extends Row>(shown: readonly T[], fresh: readonly T[]): Merged<T> {
  const now = new Map(fresh.map((row) => [row.id, row]))
  const changed: string[] = []
  const rows = shown.map((row) => {
    const next = now.get(row.id)
    if (next === undefined || JSON.stringify(next) === JSON.stringify(row)) return row
    changed.push(row.id)
    return next
  })
  const moved = shown.length !== fresh.length || shown.some((row, place) => fresh[place]?.id !== row.id)
  return { rows, changed, moved }
}

/** Makes a row as it is now out of one that is shown, and says whether that is worth a flash. */
export type RowChange<T> = (row: T) => { row: T; flash: boolean }

/** Rows with what was told of some of them; undefined when none of them is shown. */
export function patchRows<T extends Row>(shown: readonly T[], changes: ReadonlyMap<string, RowChange<T>>) {
  const flashed: string[] = []
  let touched = false
  const rows = shown.map((row) => {
    const made = changes.get(row.id)?.(row)
    if (made === undefined) return row
    touched = true
    if (made.flash) flashed.push(row.id)
    return made.row
  })
  return touched ? { rows, flashed } : undefined
}

type PageKey = readonly unknown[]
/** Pages that were last changed row by row: they are as old as they were when they were read. */
const patchedPages = new WeakSet<object>()

/**
 * Reads a page of the cache again and merges it in; undefined when something newer has come meanwhile. 'busy' while the
 * page is being read anyhow: that answer may be older than the change, so it must be read once more after it.
 */
export async function rereadPage<T extends Row>(key: PageKey, peek: () => Promise<T[]>) {
  const before = queryClient.getQueryState<{ rows: T[] }>(key)
  if (before?.fetchStatus === 'fetching') return 'busy'
  if (before?.data === undefined) return undefined
  const fresh = await peek()
  const after = queryClient.getQueryState<{ rows: T[] }>(key)
  if (after?.fetchStatus === 'fetching') return 'busy'
  if (after?.data === undefined) return undefined
  if (after.data !== before.data && !patchedPages.has(after.data)) return undefined
  const { rows, changed, moved } = mergeRows(after.data.rows, fresh)
  if (changed.length > 0) queryClient.setQueryData(key, { ...after.data, rows })
  return { changed, movedAt: moved ? queryClient.getQueryState(key)?.dataUpdatedAt : undefined }
}

/** Changes single rows of a page of the cache; answers which of them flash. */
export function patchPage<T extends Row>(key: PageKey, changes: ReadonlyMap<string, RowChange<T>>): string[] {
  const now = queryClient.getQueryState<{ rows: T[] }>(key)
  const made = now?.data && patchRows(now.data.rows, changes)
  if (now === undefined || made === undefined) return []
  queryClient.setQueryData(key, { ...now.data, rows: made.rows }, { updatedAt: now.dataUpdatedAt })
  const shown = queryClient.getQueryData<object>(key)
  if (shown) patchedPages.add(shown)
  return made.flashed
}

const leastMs = 1000

/**
 * Calls `reread` when a list has changed since the given time: at most once a second, never twice at once, and only while
 * the tab is seen; what happened meanwhile is made up for by one call, and so is a call that answers 'busy'. Answers how
 * to stop.
 */
export function followList(
  list: string,
  reread: () => Promise<'busy' | undefined | void>,
  sinceMs: number,
): () => void {
  let waiting = false
  let busy = false
  let lastAt = -leastMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  async function run() {
    timer = undefined
    if (stopped || document.visibilityState !== 'visible') return
    waiting = false
    busy = true
    lastAt = performance.now()
    // What could not be read now is read with the next change.
    const outcome = await reread().catch(() => undefined)
    busy = false
    if (waiting || outcome === 'busy') plan()
  }
  function plan() {
    waiting = true
    if (busy || timer !== undefined) return
    timer = setTimeout(() => void run(), Math.max(0, lastAt + leastMs - performance.now()))
  }
  const deaf = hearLive((event) => {
    if (event.kind === 'hello' || (event.kind === 'changed' && event.list === list)) plan()
  })
  if (lastChangeMs(list) >= sinceMs) plan()
  const onSight = () => {
    if (waiting && document.visibilityState === 'visible') plan()
  }
  document.addEventListener('visibilitychange', onSight)
  return () => {
    stopped = true
    clearTimeout(timer)
    deaf()
    document.removeEventListener('visibilitychange', onSight)
  }
}
