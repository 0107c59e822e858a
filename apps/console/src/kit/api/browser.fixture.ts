import { vi } from 'vitest'

/** The little of a browser that the client needs: session storage and one fetch that records what it was asked. */
export function stubBrowser() {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (place: number) => [...kept.keys()][place] ?? null,
    get length() {
      return kept.size
    },
  })
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
  vi.stubGlobal('fetch', fetch)
  const headersOf = (call: number) => new Headers(fetch.mock.calls[call]?.[1].headers)
  return { kept, fetch, headersOf }
}

type How = { status?: number; success?: boolean; message?: string }
export const answer = (data: unknown, { status = 200, success, message = '' }: How = {}) =>
  Response.json({ success: success ?? status < 400, message, data }, { status })
