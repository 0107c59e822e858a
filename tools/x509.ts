import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/**
 * Just enough X.509 to make certificates for development and tests: EC P-256, signed with SHA-256. By hand, because
 * Node makes none, a library brings nineteen packages, and thousands of calls of a command take minutes.
 */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes)
const octets = (bytes: Buffer) => der(0x04, bytes)
const yes = der(0x01, Buffer.from([0xff]))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
/** GeneralizedTime, which does not end in 2049. */
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))
const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [yes] : []), octets(value))

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const name = (cn: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(cn)))))
const address = (host: string) =>
  /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
const keyId = (key: KeyObject) =>
  createHash('sha1')
    .update(key.export({ format: 'der', type: 'spki' }).subarray(-65))
    .digest()

const caExtensions = () => [
  extension('551d13', true, sequence(yes)),
  extension('551d0f', true, der(0x03, Buffer.from([1, 0b0000_0110]))), // keyCertSign, cRLSign
]
const leafExtensions = (hosts: readonly string[]) => [
  extension('551d0f', true, der(0x03, Buffer.from([7, 0b1000_0000]))), // digitalSignature
  // A server's certificate opens no connection as a client, nor the other way round.
  extension('551d25', false, sequence(oid(hosts.length > 0 ? '2b06010505070301' : '2b06010505070302'))),
  ...(hosts.length > 0 ? [extension('551d11', false, sequence(...hosts.map(address)))] : []),
]

export type Issuer = { cn: string; key: KeyObject; publicKey: KeyObject }
export type Pems = { cert: string; key: string }
type Order = {
  cn: string
  days: number
  /** Undefined: it signs itself, and others. */
  issuer?: Issuer | undefined
  /** Names of a server; without any it is a client's. */
  hosts?: readonly string[]
}

export function makeCertificate({ cn, days, issuer, hosts = [] }: Order): Pems & { made: Issuer } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const made: Issuer = { cn, key: privateKey, publicKey }
  const by = issuer ?? made
  const serial = randomBytes(16)
  // Positive, and as long as it says.
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0)
  // Clocks of two machines may differ a little.
  const from = Date.now() - 3_600_000
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name(by.cn),
    sequence(time(new Date(from)), time(new Date(from + days * 86_400_000))),
    name(cn),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(
      0xa3,
      sequence(
        ...(issuer === undefined ? caExtensions() : leafExtensions(hosts)),
        extension('551d0e', false, octets(keyId(publicKey))),
        extension('551d23', false, sequence(der(0x80, keyId(by.publicKey)))),
      ),
    ),
  )
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, by.key)))
  const lines = whole.toString('base64').replaceAll(/.{1,64}/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    made,
  }
}
