import { LiveEvent, notification } from '@wattdeck/contract/session/notification.ts'
import { announceSessionEnd } from './session-end.ts'
import { type LiveState, liveStateAfter, reconnectDelayMs, takeEvents } from './sse.ts'
import { bearerToken } from './token.ts'

type Listener = { onEvent: (event: LiveEvent) => void; onState: (state: LiveState) => void }

/** The server sends something at least this often; silence means the line is dead. */
const silenceMs = 60_000

/**
 * One stream of events for the tab. Read with fetch, because EventSource cannot send the bearer token and a token has
 * no place in a URL. Answers how to close it.
 */
export function openLive({ onEvent, onState }: Listener): () => void {
  const closing = new AbortController()
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function follow() {
    try {
      await readStream(closing.signal, onEvent, () => {
        failures = 0
        onState('live')
      })
    } catch {
      // Every end is the same to us: wait and try again.
    }
    if (closing.signal.aborted) return
    failures += 1
    onState(liveStateAfter(failures))
    timer = setTimeout(() => void follow(), reconnectDelayMs(failures, Math.random()))
  }

  void follow()
  return () => {
    clearTimeout(timer)
    closing.abort()
  }
}

async function readStream(signal: AbortSignal, onEvent: (event: LiveEvent) => void, onOpen: () => void) {
  const token = bearerToken()
  const silence = new AbortController()
  let watch = setTimeout(() => silence.abort(), silenceMs)
  const response = await fetch(notification.live.path, {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token ?? ''}` },
    signal: AbortSignal.any([signal, silence.signal]),
    cache: 'no-store',
    credentials: 'omit',
  })
  if (response.status === 401 && token !== null && token === bearerToken()) announceSessionEnd()
  if (!response.ok || !response.body) throw new Error(`stream refused: ${response.status}`)
  onOpen()
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of chunksOf(response.body)) {
    clearTimeout(watch)
    watch = setTimeout(() => silence.abort(), silenceMs)
    const taken = takeEvents(rest + decoder.decode(bytes, { stream: true }))
    rest = taken.rest
    for (const data of taken.events) emit(data, onEvent)
  }
  clearTimeout(watch)
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
