import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { bits, der, fromPem, inside, integer, octets, oid, readParts, sequence, time, toPem, yes } from './der.ts'

/**
 * The subset of X.509 that signs certificates of devices. Node cannot create certificates, a library adds nineteen
 * packages, and thousands of calls of the openssl command take minutes.
 */
export type Pems = { cert: string; key: string }
/** The signing authority. `name` is byte for byte the subject of its own certificate. */
export type Issuer = { name: Buffer; key: KeyObject; keyId: Buffer | undefined }

export const algorithmOf = ({ asymmetricKeyType }: KeyObject) =>
  asymmetricKeyType === 'rsa'
    ? sequence(oid('2a864886f70d01010b'), der(0x05)) // sha256WithRSAEncryption
    : sequence(oid('2a8648ce3d040302')) // ecdsa-with-SHA256
export const signed = (body: Buffer, key: KeyObject) =>
  sequence(body, algorithmOf(key), bits(sign('sha256', body, key)))

export const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [yes] : []), octets(value))
export const issuedBy = ({ keyId }: Issuer) =>
  keyId === undefined ? [] : [extension('551d23', false, sequence(der(0x80, keyId)))]

const nameOf = (cn: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(cn)))))
const address = (host: string) =>
  /^[\d.]+$/.test(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
const spkiOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })
/** Hashes the key without its algorithm and without the byte that counts unused bits. */
function keyIdOf(key: KeyObject): Buffer {
  const [, keyBits] = inside(readParts(spkiOf(key))[0])
  return createHash('sha1')
    .update(keyBits?.body.subarray(1) ?? Buffer.alloc(0))
    .digest()
}

const caExtensions = () => [
  extension('551d13', true, sequence(yes)),
  extension('551d0f', true, der(0x03, Buffer.from([1, 0b0000_0110]))), // keyCertSign, cRLSign
]
const leafExtensions = (hosts: readonly string[]) => [
  extension('551d0f', true, der(0x03, Buffer.from([7, 0b1000_0000]))), // digitalSignature
  // A server certificate is not valid for clients, and the reverse.
  extension('551d25', false, sequence(oid(hosts.length > 0 ? '2b06010505070301' : '2b06010505070302'))),
  ...(hosts.length > 0 ? [extension('551d11', false, sequence(...hosts.map(address)))] : []),
]

type Order = {
  cn: string
  publicKey: KeyObject
  days: number
  issuer: Issuer
  /** Whether it may sign other certificates. */
  isCa?: boolean
  /** Host names of a server. Without hosts it is a client certificate. */
  hosts?: readonly string[]
}
export type Signed = { cert: string; serial: string; fingerprint: string; notAfterMs: number }

/** Signs a certificate for the public key of another party. */
export function signCertificate({ cn, publicKey, days, issuer, isCa = false, hosts = [] }: Order): Signed {
  const serial = randomBytes(16)
  // Keeps the integer positive and without leading zeros.
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0)
  // Allows for clock differences between machines.
  const fromMs = Date.now() - 3_600_000
  const notAfterMs = Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    algorithmOf(issuer.key),
    issuer.name,
    sequence(time(new Date(fromMs)), time(new Date(notAfterMs))),
    nameOf(cn),
    spkiOf(publicKey),
    der(
      0xa3,
      sequence(
        ...(isCa ? caExtensions() : leafExtensions(hosts)),
        extension('551d0e', false, octets(keyIdOf(publicKey))),
        ...issuedBy(issuer),
      ),
    ),
  )
  const whole = signed(body, issuer.key)
  return {
    cert: toPem('CERTIFICATE', whole),
    serial: serial.toString('hex'),
    fingerprint: createHash('sha256').update(whole).digest('hex'),
    notAfterMs,
  }
}

/** Creates key and certificate for devices that cannot generate a key. The key is handed over once and not stored. */
export function makeCertificate(order: Omit<Order, 'publicKey'>): Pems & Signed {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...signCertificate({ ...order, publicKey }), key: keyPem(privateKey) }
}

/** Creates a self-signed certificate authority. */
export function makeAuthority(cn: string, days: number): Pems {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = { name: nameOf(cn), key: privateKey, keyId: keyIdOf(publicKey) }
  const { cert } = signCertificate({ cn, publicKey, days, issuer, isCa: true })
  return { cert, key: keyPem(privateKey) }
}

const keyPem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }) as string

/** Opens an authority from its certificate and key. Throws when they do not match. */
export function openIssuer({ cert, key }: Pems): Issuer {
  const [body] = inside(readParts(fromPem('CERTIFICATE', cert))[0])
  const [, , , , , subject, spki, ...rest] = inside(body)
  const privateKey = createPrivateKey(key)
  if (subject === undefined || !spki?.whole.equals(spkiOf(createPublicKey(privateKey))))
    throw new Error('the certificate and the key of the authority do not belong together')
  const extensions = rest.flatMap((part) => (part.tag === 0xa3 ? inside(inside(part, 0xa3)[0]) : []))
  const [, own] = extensions.map((one) => inside(one)).find(([id]) => id?.body.toString('hex') === '551d0e') ?? []
  return { name: subject.whole, key: privateKey, keyId: own && readParts(own.body)[0]?.body }
}
