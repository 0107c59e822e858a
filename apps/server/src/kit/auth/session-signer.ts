import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

const entryForm = /^(\d{13})\.([\w-]{43})\.(.+)$/s

/**
 * Signs the cache entries of sessions, because Redis proves neither who wrote an entry nor when. The signature covers
 * the cache key, which holds the hash of the token, the expiry time and the payload. The newest key signs, all verify.
 */
export class SessionSigner {
  readonly #keys: readonly Buffer[]

  constructor(secretKeys: readonly string[]) {
    this.#keys = secretKeys.map((entry) => {
      const secret = Buffer.from(entry.split(':')[1] ?? '', 'base64')
      return Buffer.from(hkdfSync('sha256', secret, '', 'wattdeck session cache', 32))
    })
    if (this.#keys.length === 0) throw new Error('SECRET_KEYS is empty: run npm run setup, or set it')
  }

  sign(cacheKey: string, payload: string, expiresMs: number): string {
    const [key = Buffer.alloc(0)] = this.#keys
    return `${expiresMs}.${macOf(key, cacheKey, expiresMs, payload).toString('base64url')}.${payload}`
  }

  /** Returns the payload, or undefined when the entry is malformed, expired, or has no valid signature for this cache key. */
  read(cacheKey: string, entry: string): string | undefined {
    const [, expires, mac, payload] = entryForm.exec(entry) ?? []
    if (expires === undefined || mac === undefined || payload === undefined) return undefined
    const expiresMs = Number(expires)
    if (expiresMs <= Date.now()) return undefined
    const received = Buffer.from(mac, 'base64url')
    const isOurs = this.#keys.some((key) => timingSafeEqual(macOf(key, cacheKey, expiresMs, payload), received))
    return isOurs ? payload : undefined
  }
}

// A cache key and a number hold no line break, so no two different entries sign the same text.
const macOf = (key: Buffer, cacheKey: string, expiresMs: number, payload: string) =>
  createHmac('sha256', key).update(`session\n${cacheKey}\n${expiresMs}\n${payload}`).digest()
