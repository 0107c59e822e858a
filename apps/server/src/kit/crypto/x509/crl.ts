import { algorithmOf, extension, issuedBy, type Issuer, signed } from './certificate.ts'
import { der, integer, sequence, time, toPem } from './der.ts'

export type Revoked = { serial: string; atMs: number }

/** A broker refuses every device once the list has expired. It is renewed continually and expires late. */
const goodForMs = 3650 * 86_400_000

/** Creates the signed list of an authority's revoked certificates. */
export function makeCrl(issuer: Issuer, revoked: readonly Revoked[], nowMs = Date.now()): string {
  const entries = revoked.map(({ serial, atMs }) =>
    sequence(integer(Buffer.from(serial, 'hex')), time(new Date(Math.min(atMs, nowMs)))),
  )
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(nowMs))
  const body = sequence(
    integer(Buffer.from([1])),
    algorithmOf(issuer.key),
    issuer.name,
    time(new Date(nowMs)),
    time(new Date(nowMs + goodForMs)),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    der(0xa0, sequence(...issuedBy(issuer), extension('551d14', false, integer(number)))),
  )
  return toPem('X509 CRL', signed(body, issuer.key))
}
