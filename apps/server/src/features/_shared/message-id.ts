/** Milliseconds of 2025-01-01T00:00:00Z; the number of a message counts from there, with 22 bits of the gateway's own. */
const epochMs = 1_735_689_600_000
const most = 2n ** 63n - 1n

/** The lowest number that a message of this moment can have. Moments outside of what numbers can say are their ends. */
export function messageIdAt(atMs: number): string {
  const id = BigInt(Math.trunc(atMs) - epochMs) << 22n
  return String(id < 0n ? 0n : id > most ? most : id)
}
/** When a message reached a gateway. */
export const momentOf = (time: string) => Date.parse(`${time.replace(' ', 'T')}+08:00`)
export const dayStart = (day: string) => momentOf(`${day} 00:00:00`)
export const dayMs = 86_400_000
