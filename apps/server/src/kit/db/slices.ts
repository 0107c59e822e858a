/** How much one slice of background work takes: less after a slow slice, more after a fast one. */
export type SliceSize = { least: number; most: number; current: number }

const fastMs = 150
const slowMs = 500

/**
 * One slice of a backlog, in a transaction of its own; returns whether there is more. The size follows the time a slice
 * takes: a backlog, a slow disk or a loaded server makes slices small instead of hitting the statement timeout for ever.
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
    // Perhaps a timeout: the next attempt asks for less.
    size.current = Math.max(size.least, Math.floor(size.current / 4))
    throw error
  }
}

/** Works off a backlog slice by slice until nothing is left. */
export async function drainInSlices(size: SliceSize, slice: (count: number) => Promise<boolean>): Promise<void> {
  while (await takeSlice(size, slice));
}
