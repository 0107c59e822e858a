import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { claimsOf, type ScreenClaims } from '@wattdeck/contract/dashboard/screen-link.ts'

/**
 * Tokens of links to a data screen: what they claim, in the open, and a signature that only we can write. A key that is
 * given up takes the links with it that it signed.
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
    const said = Buffer.from(JSON.stringify({ ...claims, nonce })).toString('base64url')
    return `${said}.${macOf(key, said).toString('base64url')}`
  }

  /** What a token says, if we have said it and its time is not over. Every key is tried, whichever fits. */
  read(token: string): ScreenClaims | undefined {
    const [, said, sent] = /^([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? []
    if (said === undefined || sent === undefined) return undefined
    let fits = false
    for (const key of this.#keys) {
      const expected = Buffer.from(macOf(key, said).toString('base64url'))
      fits = timingSafeEqual(expected, Buffer.from(sent)) || fits
    }
    const claims = fits ? claimsOf(token) : undefined
    return claims !== undefined && claims.expires * 1000 > Date.now() ? claims : undefined
  }
}

const macOf = (key: Buffer, said: string) => createHmac('sha256', key).update(`screen ${said}`).digest()
