import { hangMs } from '../harness/until.ts'

/** A loop over hundreds of routes hangs when it has not ended after half an hour. */
export const loop = { timeout: 1_800_000 }

/** Runs one check for each item, several at a time, and lists what failed or hung instead of stopping at the first. */
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

/** A route that never answers fails by itself, and the loop goes on. */
async function withHangLimit(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it hangs')), hangMs)
  })
  try {
    await Promise.race([work, hung])
  } finally {
    clearTimeout(timer)
  }
}
