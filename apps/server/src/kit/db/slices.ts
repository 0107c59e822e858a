/** Adaptive size of a slice of background work: smaller after a slow slice, larger after a fast one. */
export type SliceSize = { least: number; most: number; current: number }

const fastMs = 150
const slowMs = 500

/**
 * Processes one slice of a backlog, in its own transaction. Returns whether there is more. The size adapts to the duration:
 * a slow disk or a loaded server gets small slices instead of repeated statement timeouts.
 */
export async function takeSlice(size: SliceSize, slice: (count: number) => Promise<boolean>): Promise<boolean> {
  const begunMs = performance.now()
  try {
    const more = await slice(size.current)
    const tookMs = performance.now() - begunMs
    if (tookMs > slowMs) size.current = Math.max(size.least, Math.floor(size.current / 2))
    else if (tookMs < fastMs && more) size.current = Math.min(size.most, size.current * 2)
    return more
  } catch (error) {
    // The cause may be a timeout, so the next attempt is smaller.
    size.current = Math.max(size.least, Math.floor(size.current / 4))
    throw error
  }
}

/** Drains a backlog slice by slice. */
export async function drainInSlices(size: SliceSize, slice: (count: number) => Promise<boolean>): Promise<void> {
  while (await takeSlice(size, slice));
}
