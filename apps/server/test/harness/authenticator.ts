import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** An authenticator in software with its browser client: ES256, attestation "none", one credential. */
export type Authenticator = ReturnType<typeof makeAuthenticator>
type Faults = { origin?: string; rpId?: string; challenge?: string; key?: KeyObject; type?: string }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (value: Buffer | string) => Buffer.from(value).toString('base64url')

/** The CBOR subset of WebAuthn: small maps, byte strings, texts and small integers. */
function cbor(value: Map<unknown, unknown> | Buffer | string | number): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, item]) => [cbor(key as string), cbor(item as string)])
  return Buffer.concat([head(5, value.size), ...entries])
}

export function makeAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const rpId = new URL(origin).hostname
  let counter = 0

  const clientData = (type: string, options: { challenge: string }, faults: Faults) =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? options.challenge,
        origin: faults.origin ?? origin,
        crossOrigin: false,
      }),
    )
  /** Flags: user present and verified; with the credential's data at registration. */
  const authData = (party: string, attested?: Buffer) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(party), Buffer.from([attested ? 0x45 : 0x05]), count, attested ?? Buffer.alloc(0)])
  }
  const parse = (options: string) => JSON.parse(options) as { challenge: string }

  return {
    /** Sets the counter back, as on a copy of the authenticator. */
    rewind: (to: number) => {
      counter = to
    },

    register(options: string, faults: Faults = {}): string {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const coordinate = (part: string | undefined) => Buffer.from(part ?? '', 'base64url')
      const entries: [number, number | Buffer][] = [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(jwk.x)],
        [-3, coordinate(jwk.y)],
      ]
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(new Map(entries))])
      const object = new Map<unknown, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(faults.rpId ?? rpId, attested)],
      ])
      return JSON.stringify({
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(clientData('webauthn.create', parse(options), faults)),
          attestationObject: text(cbor(object)),
          transports: ['internal'],
        },
      })
    },

    prove(options: string, faults: Faults = {}): string {
      const data = clientData('webauthn.get', parse(options), faults)
      const authenticatorData = authData(faults.rpId ?? rpId)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), faults.key ?? privateKey)
      return JSON.stringify({
        id: text(id),
        rawId: text(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(data),
          authenticatorData: text(authenticatorData),
          signature: text(signature),
        },
      })
    },
  }
}
