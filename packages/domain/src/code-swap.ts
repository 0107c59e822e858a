/** How long before a refused start somebody must have plugged in elsewhere. */
export const swapWindowMs = 5 * 60_000

export type NearbyPort = {
  deviceId: string
  portNo: number
  /** A plug is in, and nothing is being charged. */
  connected: boolean
  sinceMs: number
}

/**
 * Somebody has scanned a code and plugged in, and the device of the code says that nothing is plugged in. If at exactly
 * one other device of the site a plug was put in just now and waits, the code is probably stuck there. With two of them
 * nobody can say which, and without any the person has simply not plugged in.
 */
export function likelySwap(
  ports: readonly NearbyPort[],
  nowMs: number,
): { deviceId: string; portNo: number } | undefined {
  const waiting = ports.filter(
    ({ connected, sinceMs }) => connected && sinceMs <= nowMs && nowMs - sinceMs <= swapWindowMs,
  )
  const [newest] = waiting.toSorted((one, other) => other.sinceMs - one.sinceMs)
  if (newest === undefined || new Set(waiting.map(({ deviceId }) => deviceId)).size > 1) return undefined
  return { deviceId: newest.deviceId, portNo: newest.portNo }
}
