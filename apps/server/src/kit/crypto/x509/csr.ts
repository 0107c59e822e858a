import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fromPem, inside, type Part, readParts } from './der.ts'

/** Certificate request of a device (PKCS #10). The private key stays in the device; the signature proves it. */
export type Csr = { cn: string | undefined; publicKey: KeyObject }

/** By the DER encoding of the algorithm with its parameters. */
const digests: Record<string, string> = {
  '06082a8648ce3d040302': 'sha256', // ecdsa-with-SHA256
  '06082a8648ce3d040303': 'sha384',
  '06092a864886f70d01010b0500': 'sha256', // sha256WithRSAEncryption
  '06092a864886f70d01010c0500': 'sha384',
}

/** Returns undefined for a malformed request, an invalid signature or a weak key. */
export function readCsr(pem: string): Csr | undefined {
  try {
    const [request, ...more] = readParts(fromPem('(?:NEW )?CERTIFICATE REQUEST', pem))
    const [info, algorithm, signature, ...rest] = inside(request)
    const [, subject, spki] = inside(info)
    const digest = algorithm?.tag === 0x30 ? digests[algorithm.body.toString('hex')] : undefined
    if (info === undefined || digest === undefined || more.length + rest.length > 0) return undefined
    // A signature has no unused bits.
    if (signature?.tag !== 0x03 || signature.body[0] !== 0 || spki?.tag !== 0x30) return undefined
    const publicKey = createPublicKey({ key: spki.whole, format: 'der', type: 'spki' })
    if (!isStrong(publicKey) || !verify(digest, info.whole, publicKey, signature.body.subarray(1))) return undefined
    return { cn: commonName(subject), publicKey }
  } catch {
    // Malformed, for example a wrong length or a key of an unknown kind.
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
