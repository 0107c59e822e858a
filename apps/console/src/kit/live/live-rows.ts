import { subscribeLive, lastChangeMs } from './live-bus.ts'
import { queryClient } from '../api/queries.ts'

type Row = { id: string }
export type Merged<T> = {
  /** The displayed rows in their order, each with its current values. */
  rows: T[]
  changed: string[]
  /** Rows were added, removed or moved: the user decides when to show them. */
  moved: boolean
}

/** Merges a refetched page into the displayed rows without moving any row under the pointer. */
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

/** Returns the current row for a displayed one, and whether it flashes. */
export type RowChange<T> = (row: T) => { row: T; flash: boolean }

/** Applies changes to the displayed rows; undefined if none of them is displayed. */
export function patchRows<T extends Row>(shown: readonly T[], changes: ReadonlyMap<string, RowChange<T>>) {
  const flashed: string[] = []
  let touched = false
  const rows = shown.map((row) => {
    const result = changes.get(row.id)?.(row)
    if (result === undefined) return row
    touched = true
    if (result.flash) flashed.push(row.id)
    return result.row
  })
  return touched ? { rows, flashed } : undefined
}

type PageKey = readonly unknown[]
/** Pages that were last patched row by row, which keep the time of their last fetch. */
const patchedPages = new WeakSet<object>()

/**
 * Refetches a cached page and merges it in; undefined if newer data has arrived meanwhile. 'busy' while the page is being
 * fetched anyway: that response may be older than the change, so the page must be fetched again after it.
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

/** Patches single rows of a cached page; returns the ids that flash. */
export function patchPage<T extends Row>(key: PageKey, changes: ReadonlyMap<string, RowChange<T>>): string[] {
  const now = queryClient.getQueryState<{ rows: T[] }>(key)
  const result = now?.data && patchRows(now.data.rows, changes)
  if (now === undefined || result === undefined) return []
  queryClient.setQueryData(key, { ...now.data, rows: result.rows }, { updatedAt: now.dataUpdatedAt })
  const shown = queryClient.getQueryData<object>(key)
  if (shown) patchedPages.add(shown)
  return result.flashed
}

const leastMs = 1000

/**
 * Calls `reread` when a list has changed since the given time: at most once a second, never concurrently, and only while
 * the tab is visible. One call covers all changes in between; a 'busy' result is retried. Returns a function that stops it.
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
    // After a failure the next change triggers a refetch.
    const outcome = await reread().catch(() => undefined)
    busy = false
    if (waiting || outcome === 'busy') plan()
  }
  function plan() {
    waiting = true
    if (busy || timer !== undefined) return
    timer = setTimeout(() => void run(), Math.max(0, lastAt + leastMs - performance.now()))
  }
  const deaf = subscribeLive((event) => {
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
