import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { claimsOf, type ScreenClaims } from '@wattdeck/contract/dashboard/screen-link.ts'

/**
 * Tokens of links to a data screen: readable claims and a signature. Removing a key invalidates the links that it signed.
 */
export class ScreenSigner {
  readonly #keys: readonly Buffer[]

  constructor(secretKeys: readonly string[]) {
    this.#keys = secretKeys.map((entry) => {
      const secret = Buffer.from(entry.split(':')[1] ?? '', 'base64')
      return Buffer.from(hkdfSync('sha256', secret, '', 'wattdeck screen links', 32))
    })
  }

  sign(claims: Omit<ScreenClaims, 'nonce'>): string {
    const [key] = this.#keys
    if (key === undefined) throw new Error('SECRET_KEYS is empty: run npm run setup, or set it')
    const nonce = randomBytes(16).toString('base64url')
    const payload = Buffer.from(JSON.stringify({ ...claims, nonce })).toString('base64url')
    return `${payload}.${macOf(key, payload).toString('base64url')}`
  }

  /** Returns the claims of a token with a valid signature before its expiry. Tries every key, for constant time. */
  read(token: string): ScreenClaims | undefined {
    const [, payload, mac] = /^([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? []
    if (payload === undefined || mac === undefined) return undefined
    let fits = false
    for (const key of this.#keys) {
      const expected = Buffer.from(macOf(key, payload).toString('base64url'))
      fits = timingSafeEqual(expected, Buffer.from(mac)) || fits
    }
    const claims = fits ? claimsOf(token) : undefined
    return claims !== undefined && claims.expires * 1000 > Date.now() ? claims : undefined
  }
}

const macOf = (key: Buffer, payload: string) => createHmac('sha256', key).update(`screen ${payload}`).digest()
