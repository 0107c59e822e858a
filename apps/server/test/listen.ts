import { type LiveEvent, notification } from '@wattdeck/contract/session/notification.ts'

/** Reads a person's stream until it is told to stop. */
export function listen(url: string, token: string, query = '') {
  const events: LiveEvent[] = []
  const stop = new AbortController()
  const opened = fetch(`${url}${notification.live.path}${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  }).then((response) => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    void (async () => {
      let text = ''
      while (reader !== undefined) {
        const { value, done } = await reader.read()
        if (done) return
        text += value
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts)
          if (part.startsWith('data: ')) events.push(notification.live.data.parse(JSON.parse(part.slice(6))))
      }
    })().catch(() => undefined)
    return response.status
  })
  return { events, opened, stop: () => stop.abort() }
}
