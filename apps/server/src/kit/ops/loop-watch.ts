/** How long a round may take. One that fails is over and the loop turns; one that never ends is stuck. */
const stuckMs = 60_000

const loops = new Map<symbol, { name: string; turnedMs: number; limitMs: number }>()

export type WatchedLoop = { turn: () => void; end: () => void }

/** A loop that must turn for as long as the process lives: `turn` is called at each round, `end` when it is stopped. */
export function watchLoop(name: string, limitMs = stuckMs): WatchedLoop {
  const key = Symbol(name)
  const turn = () => void loops.set(key, { name, turnedMs: performance.now(), limitMs })
  turn()
  return { turn, end: () => void loops.delete(key) }
}

/** The loops that have not turned for longer than they may: the process must be started anew. */
export function stuckLoops(nowMs = performance.now()): string[] {
  return [...loops.values()].filter(({ turnedMs, limitMs }) => nowMs - turnedMs > limitMs).map(({ name }) => name)
}
