import { vi } from 'vitest'

/** The browser APIs that the client needs: session storage, and a fetch mock that records its calls. */
export function stubBrowser() {
  const storage = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
    key: (place: number) => [...storage.keys()][place] ?? null,
    get length() {
      return storage.size
    },
  })
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
  vi.stubGlobal('fetch', fetch)
  const headersOf = (call: number) => new Headers(fetch.mock.calls[call]?.[1].headers)
  return { kept: storage, fetch, headersOf }
}

type How = { status?: number; success?: boolean; message?: string }
export const answer = (data: unknown, { status = 200, success, message = '' }: How = {}) =>
  Response.json({ success: success ?? status < 400, message, data }, { status })
