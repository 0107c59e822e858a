import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Crockford's: without letters that people take for digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const macBytes = 10
const idLength = 10

/** 50 bits by chance: whoever knows one number knows no other. */
export const newCodeId = (): string => [...randomBytes(idLength)].map((byte) => alphabet[byte & 31]).join('')

/** Ten bytes are exactly sixteen letters, so each signature is written in one way only. */
function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return bits.replaceAll(/.{5}/g, (five) => alphabet[Number.parseInt(five, 2)] ?? '')
}

type Settings = {
  /** Addresses that codes begin with, newest first; the older ones are on stickers that are still read. */
  urls: readonly string[]
  /** 'id:base64 of 32 bytes', newest first; the older ones still read what they signed. */
  keys: readonly string[]
  /** Where there are no keys of codes: keys for them are derived from these. */
  secretKeys: readonly string[]
}

/**
 * What a printed code says: an address, a number, and 80 bits that only we can write. A sticker lives for years, so
 * giving up a key gives up the stickers it signed.
 */
export class CodeSigner {
  readonly #urls: readonly string[]
  readonly #keys: readonly Buffer[]

  constructor({ urls, keys, secretKeys }: Settings) {
    this.#urls = urls
    this.#keys = keys.length > 0 ? keys.map(keyOf) : secretKeys.map((entry) => derived(keyOf(entry)))
    if (this.#urls.length === 0 || this.#keys.length === 0) throw new Error('CODE_URL and CODE_KEYS must not be empty')
  }

  contentOf(codeNo: string): string {
    const [url = ''] = this.#urls
    const [key = Buffer.alloc(0)] = this.#keys
    return `${url}/c/${codeNo}.${base32(macOf(key, codeNo))}`
  }

  /** The number that a scanned text names, or undefined when we have not signed it. Every key is tried, whichever fits. */
  read(text: string): string | undefined {
    const url = this.#urls.find((one) => text.startsWith(`${one}/c/`))
    const [, codeNo, sent] = /^([\dA-Z]{10,18})\.([\dA-Z]{16})$/.exec(text.slice((url?.length ?? 0) + 3)) ?? []
    if (url === undefined || codeNo === undefined || sent === undefined) return undefined
    let fits = false
    for (const key of this.#keys) {
      const expected = Buffer.from(base32(macOf(key, codeNo)))
      fits = timingSafeEqual(expected, Buffer.from(sent)) || fits
    }
    return fits ? codeNo : undefined
  }
}

/** Returns the derived keys in the format of CODE_KEYS, so that they outlive the keys they are derived from. */
export const codeKeysOf = (secretKeys: readonly string[]): string[] =>
  secretKeys.map((entry) => `${entry.split(':')[0]}:${derived(keyOf(entry)).toString('base64')}`)

const macOf = (key: Buffer, codeNo: string) =>
  createHmac('sha256', key).update(`code ${codeNo}`).digest().subarray(0, macBytes)

function keyOf(entry: string): Buffer {
  const key = Buffer.from(entry.split(':')[1] ?? '', 'base64')
  if (key.length !== 32) throw new Error('CODE_KEYS must be a list of id:base64 of 32 bytes')
  return key
}

const derived = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'wattdeck qr codes', 32))
