import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Crockford's alphabet, without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const macBytes = 10
const idLength = 10

/** 50 random bits, so that numbers cannot be guessed from each other. */
export const newCodeId = (): string => [...randomBytes(idLength)].map((byte) => alphabet[byte & 31]).join('')

/** Ten bytes are exactly sixteen letters, so each signature has only one encoding. */
function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return bits.replaceAll(/.{5}/g, (five) => alphabet[Number.parseInt(five, 2)] ?? '')
}

type Settings = {
  /** Base URLs of codes, newest first. The older ones are still on stickers in use. */
  urls: readonly string[]
  /** 'id:base64 of 32 bytes', newest first. The older ones still verify. */
  keys: readonly string[]
  /** Used to derive keys when `keys` is empty. */
  secretKeys: readonly string[]
}

/**
 * Content of a printed code: an address, a number and a signature of 80 bits. Stickers are in use for years; removing a key
 * invalidates the stickers that it signed.
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

  /** Returns the number of a scanned code, or undefined without a valid signature. Tries every key, for constant time. */
  read(text: string): string | undefined {
    const url = this.#urls.find((one) => text.startsWith(`${one}/c/`))
    const [, codeNo, mac] = /^([\dA-Z]{10,18})\.([\dA-Z]{16})$/.exec(text.slice((url?.length ?? 0) + 3)) ?? []
    if (url === undefined || codeNo === undefined || mac === undefined) return undefined
    let fits = false
    for (const key of this.#keys) {
      const expected = Buffer.from(base32(macOf(key, codeNo)))
      fits = timingSafeEqual(expected, Buffer.from(mac)) || fits
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
