import { type LiveEvent, notification } from '@wattdeck/contract/auth/notification.ts'

/** Reads a stream of events until it ends or is stopped. */
export function follow<T>(url: string, token: string, read: (event: unknown) => T) {
  const events: T[] = []
  const stop = new AbortController()
  let ended = false
  const opened = fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: stop.signal }).then((response) => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    void (async () => {
      let text = ''
      while (reader !== undefined) {
        const { value, done } = await reader.read()
        if (done) break
        text += value
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) if (part.startsWith('data: ')) events.push(read(JSON.parse(part.slice(6))))
      }
      ended = true
    })().catch(() => undefined)
    return response.status
  })
  return { events, opened, ended: () => ended, stop: () => stop.abort() }
}

/** A person's own stream. */
export const listen = (url: string, token: string, query = '') =>
  follow(`${url}${notification.live.path}${query}`, token, (event): LiveEvent => notification.live.data.parse(event))
