import { LiveEvent, notification } from '@wattdeck/contract/auth/notification.ts'
import { isOffline, onConnection } from '../api/connection.ts'
import { watchedDevices, onWatchChange } from './live-bus.ts'
import { announceSessionEnd } from '../api/session-end.ts'
import { type LiveState, liveStateAfter, reconnectDelayMs, parseEvents } from './sse.ts'
import { bearerToken } from '../api/token.ts'

type Listener = { onEvent: (event: LiveEvent) => void; onState: (state: LiveState) => void }

/** The server sends at least a heartbeat within this time; silence means that the connection is dead. */
const silenceMs = 60_000
/** Debounces the watched devices, because a page changes its rows in several steps. */
const rewatchMs = 100

/**
 * One stream of events for the tab. Read with fetch, because EventSource cannot send the bearer token and a token must
 * not be in a URL. Returns a function that closes it.
 */
export function openLive({ onEvent, onState }: Listener): () => void {
  const closing = new AbortController()
  let line = new AbortController()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let rewatch: ReturnType<typeof setTimeout> | undefined
  let watching = ''

  async function follow() {
    line = new AbortController()
    watching = watchedDevices().join(',')
    const mine = line
    try {
      await readStream(watching, AbortSignal.any([closing.signal, line.signal]), onEvent, () => {
        failures = 0
        onState('live')
      })
    } catch {
      // Every end is handled alike: wait and reconnect.
    }
    // Another connection has replaced this one for other devices.
    if (closing.signal.aborted || mine !== line) return
    failures += 1
    onState(isOffline() ? 'off' : liveStateAfter(failures))
    timer = setTimeout(again, reconnectDelayMs(failures, Math.random()))
  }
  function again() {
    clearTimeout(timer)
    timer = undefined
    void follow()
  }

  void follow()
  onWatchChange(() => {
    clearTimeout(rewatch)
    rewatch = setTimeout(() => {
      if (closing.signal.aborted || watching === watchedDevices().join(',')) return
      const before = line
      again()
      before.abort()
    }, rewatchMs)
  })
  // Without a network the stream is only silent; the timeout would take a minute.
  const stop = onConnection((online) => {
    if (!online) line.abort()
    else if (timer !== undefined) again()
  })
  return () => {
    stop()
    clearTimeout(timer)
    clearTimeout(rewatch)
    closing.abort()
  }
}

/** Always releases the connection, because a browser has only a few for one host. */
async function readStream(
  devices: string,
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
  onOpen: () => void,
) {
  const silence = new AbortController()
  const watch = { timer: setTimeout(() => silence.abort(), silenceMs) }
  try {
    await readAll(devices, silence, watch, signal, onEvent, onOpen)
  } finally {
    clearTimeout(watch.timer)
    silence.abort()
  }
}

async function readAll(
  devices: string,
  silence: AbortController,
  watch: { timer: ReturnType<typeof setTimeout> },
  signal: AbortSignal,
  onEvent: (event: LiveEvent) => void,
  onOpen: () => void,
) {
  const token = bearerToken()
  const response = await fetch(notification.live.path + (devices === '' ? '' : `?devices=${devices}`), {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token ?? ''}` },
    signal: AbortSignal.any([signal, silence.signal]),
    cache: 'no-store',
    credentials: 'omit',
  })
  if (response.status === 401 && token !== null && token === bearerToken()) void announceSessionEnd()
  if (!response.ok || !response.body) throw new Error(`stream refused: ${response.status}`)
  onOpen()
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of chunksOf(response.body)) {
    clearTimeout(watch.timer)
    watch.timer = setTimeout(() => silence.abort(), silenceMs)
    const parsed = parseEvents(rest + decoder.decode(bytes, { stream: true }))
    rest = parsed.rest
    for (const data of parsed.events)
      emit(data, (event) => {
        // The end of a replaced session does not end the new one.
        if (event.kind !== 'revoked' || token === bearerToken()) onEvent(event)
      })
  }
}

/** Not every browser supports async iteration of streams yet. */
async function* chunksOf(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

function emit(data: string, onEvent: (event: LiveEvent) => void) {
  const event = LiveEvent.safeParse(parseJson(data))
  // A newer server may send kinds that this console does not know.
  if (event.success) onEvent(event.data)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
