/** Calls for maps and statistics fail silently (spec §8): an empty value replaces the result and is marked stale. */
export async function withFallback<T>(request: Promise<T>, empty: T): Promise<{ value: T; stale: boolean }> {
  try {
    return { value: await request, stale: false }
  } catch {
    return { value: empty, stale: true }
  }
}

export const regionName = (name: string | null | undefined) => (name ? name : '未知')
