import { hangMs } from '../harness/until.ts'

/** A loop over hundreds of routes counts as hung after half an hour. */
export const loop = { timeout: 1_800_000 }

/**
 * Runs one check for each item, several at a time, and lists all failures and hangs instead of stopping at the first.
 */
export async function collectFailures<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  check: (item: T) => Promise<void>,
  lanes = 1,
): Promise<string[]> {
  const failures: string[] = []
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) {
      await withHangLimit(check(item)).catch((error: unknown) => {
        failures.push(`${nameOf(item)}: ${error instanceof Error ? error.message : String(error)}`)
      })
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return failures.toSorted()
}

/** A route that never answers fails on its own, and the loop continues. */
async function withHangLimit(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), hangMs)
  })
  try {
    await Promise.race([work, hung])
  } finally {
    clearTimeout(timer)
  }
}
