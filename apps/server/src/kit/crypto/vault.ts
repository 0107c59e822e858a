import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts secrets that must be decrypted later (second-factor seeds, merchant keys). Several keys coexist for rotation. */
export class Vault {
  readonly #keys: Map<string, Buffer>
  readonly #newest: string
  constructor(keys: string[]) {
    this.#keys = new Map(
      keys.map((entry) => {
        const [id = '', encoded = ''] = entry.split(':')
        const key = Buffer.from(encoded, 'base64')
        if (id === '' || key.length !== 32) throw new Error('SECRET_KEYS must be a list of id:base64 of 32 bytes')
        return [id, key] as const
      }),
    )
    const newest = [...this.#keys.keys()][0]
    if (newest === undefined) throw new Error('SECRET_KEYS is empty: run npm run setup, or set it')
    this.#newest = newest
  }

  seal(plain: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#key(this.#newest), nonce)
    const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return [
      this.#newest,
      nonce.toString('base64'),
      Buffer.concat([ciphertext, cipher.getAuthTag()]).toString('base64'),
    ].join('.')
  }

  open(sealed: string): string {
    const [id = '', nonce = '', body = ''] = sealed.split('.')
    const bytes = Buffer.from(body, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#key(id), Buffer.from(nonce, 'base64'))
    decipher.setAuthTag(bytes.subarray(-16))
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id)
    if (key === undefined) throw new Error(`no secret key '${id}'`)
    return key
  }
}
