/** Calls for maps and statistics fail without a word (spec §8): what is empty stands in, and is marked as not renewed. */
export async function withFallback<T>(asked: Promise<T>, empty: T): Promise<{ value: T; stale: boolean }> {
  try {
    return { value: await asked, stale: false }
  } catch {
    return { value: empty, stale: true }
  }
}

export const regionName = (name: string | null | undefined) => (name ? name : '未知')
