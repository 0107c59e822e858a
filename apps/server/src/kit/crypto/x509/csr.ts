import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fromPem, inside, type Part, readParts } from './der.ts'

/** What a device asks to be signed (PKCS #10). Its key never leaves it: that it has one is proven by the signature. */
export type Csr = { cn: string | undefined; publicKey: KeyObject }

/** By how the algorithm is written, with its parameters. */
const digests: Record<string, string> = {
  '06082a8648ce3d040302': 'sha256', // ecdsa-with-SHA256
  '06082a8648ce3d040303': 'sha384',
  '06092a864886f70d01010b0500': 'sha256', // sha256WithRSAEncryption
  '06092a864886f70d01010c0500': 'sha384',
}

/** Undefined for whatever is not a request that proves its key, or whose key is too weak. */
export function readCsr(pem: string): Csr | undefined {
  try {
    const [request, ...more] = readParts(fromPem('(?:NEW )?CERTIFICATE REQUEST', pem))
    const [info, algorithm, signature, ...rest] = inside(request)
    const [, subject, spki] = inside(info)
    const digest = algorithm?.tag === 0x30 ? digests[algorithm.body.toString('hex')] : undefined
    if (info === undefined || digest === undefined || more.length + rest.length > 0) return undefined
    // Of a signature all bits are used.
    if (signature?.tag !== 0x03 || signature.body[0] !== 0 || spki?.tag !== 0x30) return undefined
    const publicKey = createPublicKey({ key: spki.whole, format: 'der', type: 'spki' })
    if (!isStrong(publicKey) || !verify(digest, info.whole, publicKey, signature.body.subarray(1))) return undefined
    return { cn: commonName(subject), publicKey }
  } catch {
    // Whatever it is, it is no request: a length that lies, a key of an unknown kind.
    return undefined
  }
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails ?? {}
  if (asymmetricKeyType === 'rsa') return modulusLength >= 2048 && modulusLength <= 4096
  return asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve)
}

function commonName(subject: Part | undefined): string | undefined {
  const pairs = inside(subject).flatMap((set) => inside(set, 0x31).map((pair) => inside(pair)))
  return pairs.find(([id]) => id?.body.toString('hex') === '550403')?.[1]?.body.toString('utf8')
}
