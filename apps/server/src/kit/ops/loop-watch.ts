/** Default limit of a round. A failed round ends and the loop turns; a round that never ends is stuck. */
const stuckMs = 60_000

const loops = new Map<symbol, { name: string; turnedMs: number; limitMs: number }>()

export type WatchedLoop = { turn: () => void; end: () => void }

/** Watchdog of a loop that runs as long as the process. The loop calls `turn` at each round and `end` when it stops. */
export function watchLoop(name: string, limitMs = stuckMs): WatchedLoop {
  const key = Symbol(name)
  const turn = () => void loops.set(key, { name, turnedMs: performance.now(), limitMs })
  turn()
  return { turn, end: () => void loops.delete(key) }
}

/** The loops that exceeded their limit. The process must be restarted. */
export function stuckLoops(nowMs = performance.now()): string[] {
  return [...loops.values()].filter(({ turnedMs, limitMs }) => nowMs - turnedMs > limitMs).map(({ name }) => name)
}
