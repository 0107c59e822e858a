/** Milliseconds of 2025-01-01T00:00:00Z, the epoch of message ids. The low 22 bits belong to the gateway. */
const epochMs = 1_735_689_600_000
const most = 2n ** 63n - 1n

/** The lowest id of a message at this moment, clamped to the range of valid ids. */
export function messageIdAt(atMs: number): string {
  const id = BigInt(Math.trunc(atMs) - epochMs) << 22n
  return String(id < 0n ? 0n : id > most ? most : id)
}
/** Converts the Shanghai time at which a gateway received a message to milliseconds. */
export const momentOf = (time: string) => Date.parse(`${time.replace(' ', 'T')}+08:00`)
export const dayStart = (day: string) => momentOf(`${day} 00:00:00`)
export const dayMs = 86_400_000
