import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { ScreenEvent } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { fillPath } from '@wattdeck/contract/kit/route.ts'
import { reconnectDelayMs, parseEvents } from '../../../kit/live/sse.ts'
import type { WallboardSource } from './source.ts'

export type Changed = Extract<ScreenEvent, { kind: 'changed' }>['what']
type HeartbeatHandlers = { onChanged: (what: Changed) => void; onLive: (live: boolean) => void; onEnded: () => void }

/** The server sends a beat every five seconds; silence means that the connection is lost. */
const silenceMs = 25_000

/** Opens the stream of change events. Returns the function to close it. */
export function openHeartbeat(
  { organiseId, authorization }: WallboardSource,
  { onChanged, onLive, onEnded }: HeartbeatHandlers,
) {
  const closing = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  function handleEvent(data: string) {
    const event = ScreenEvent.safeParse(parseJson(data)).data
    if (event?.kind === 'changed') onChanged(event.what)
    if (event?.kind === 'revoked') onEnded()
  }
  async function follow() {
    const silence = new AbortController()
    let watch = setTimeout(() => silence.abort(), silenceMs)
    try {
      const response = await fetch(fillPath(bigScreen.heartbeat.path, { id: organiseId }), {
        headers: { Accept: 'text/event-stream', Authorization: authorization() },
        signal: AbortSignal.any([closing.signal, silence.signal]),
        cache: 'no-store',
        credentials: 'omit',
      })
      if (response.status === 401) onEnded()
      if (!response.ok || !response.body) throw new Error(`stream refused: ${response.status}`)
      failures = 0
      onLive(true)
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        clearTimeout(watch)
        watch = setTimeout(() => silence.abort(), silenceMs)
        const chunk = parseEvents(rest + value)
        rest = chunk.rest
        for (const data of chunk.events) handleEvent(data)
      }
    } catch {
      // Every failure is handled alike: wait and reconnect.
    } finally {
      clearTimeout(watch)
      silence.abort()
    }
    if (closing.signal.aborted) return
    onLive(false)
    failures += 1
    timer = setTimeout(() => void follow(), reconnectDelayMs(failures, Math.random()))
  }

  void follow()
  return () => {
    clearTimeout(timer)
    closing.abort()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
