/** Splits a text stream of server-sent events into the data of each event. The rest waits for its end. */
export function parseEvents(buffer: string): { events: string[]; rest: string } {
  const parts = buffer.replaceAll('\r\n', '\n').split('\n\n')
  const rest = parts.pop() ?? ''
  const events = parts.flatMap((part) => {
    const data = part
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
    return data.length > 0 ? [data.join('\n')] : []
  })
  return { events, rest }
}

/** 1 s, 2 s, 4 s … 30 s, half fixed and half random (jitter): after an outage not all consoles reconnect at once. */
export function reconnectDelayMs(failures: number, chance: number): number {
  const full = Math.min(30_000, 1000 * 2 ** Math.max(0, failures - 1))
  return Math.round(full / 2 + (full / 2) * chance)
}

export type LiveState = 'live' | 'polling' | 'off'
export const liveStateText = { live: '实时', polling: '轮询', off: '已断开' } as const

const offAfterFailures = 5
/** Polling replaces a lost stream; after several failed attempts the server counts as unreachable. */
export const liveStateAfter = (failures: number): LiveState => (failures >= offAfterFailures ? 'off' : 'polling')
