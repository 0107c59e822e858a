/** How long before a refused start the plug must have been connected to another device. */
export const swapWindowMs = 5 * 60_000

export type NearbyPort = {
  deviceId: string
  portNo: number
  /** A plug is connected and no charge is running. */
  connected: boolean
  sinceMs: number
}

/**
 * A member has scanned a code and plugged in, but the device of that code reports no plug. If exactly one other device
 * of the site has a plug that was connected just now and is idle, the code is probably stuck on that device. With two
 * candidates the result is ambiguous; with none, the member has not plugged in.
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
