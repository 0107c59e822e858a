import { LiveEvent, notification } from '@wattdeck/contract/auth/notification.ts'
import { isOffline, onConnection } from '../api/connection.ts'
import { watchedDevices, whenWatchChanges } from './live-bus.ts'
import { announceSessionEnd } from '../api/session-end.ts'
import { type LiveState, liveStateAfter, reconnectDelayMs, takeEvents } from './sse.ts'
import { bearerToken } from '../api/token.ts'

type Listener = { onEvent: (event: LiveEvent) => void; onState: (state: LiveState) => void }

/** The server sends something at least this often; silence means the line is dead. */
const silenceMs = 60_000
/** A page that shows other rows says so in several steps. */
const rewatchMs = 100

/**
 * One stream of events for the tab. Read with fetch, because EventSource cannot send the bearer token and a token has
 * no place in a URL. Answers how to close it.
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
      // Every end is the same to us: wait and try again.
    }
    // Another line was taken up for other devices.
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
  whenWatchChanges(() => {
    clearTimeout(rewatch)
    rewatch = setTimeout(() => {
      if (closing.signal.aborted || watching === watchedDevices().join(',')) return
      const before = line
      again()
      before.abort()
    }, rewatchMs)
  })
  // Without a network the stream is only silent; it would take a minute to notice.
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

/** Whatever ends it, the connection is given back: a browser has only a few for one host. */
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
    const taken = takeEvents(rest + decoder.decode(bytes, { stream: true }))
    rest = taken.rest
    for (const data of taken.events)
      emit(data, (event) => {
        // The end of a session that the page has exchanged for another one says nothing about the new one.
        if (event.kind !== 'revoked' || token === bearerToken()) onEvent(event)
      })
  }
}

/** Streams cannot be looped over in every browser yet. */
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
  // A newer server may send kinds this console does not know.
  if (event.success) onEvent(event.data)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
