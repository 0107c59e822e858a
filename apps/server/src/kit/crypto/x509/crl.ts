import { algorithmOf, extension, issuedBy, type Issuer, signed } from './certificate.ts'
import { der, integer, sequence, time, toPem } from './der.ts'

export type Revoked = { serial: string; atMs: number }

/** A list that has run out makes a broker refuse everybody: it is renewed all the time, and runs out late. */
const goodForMs = 3650 * 86_400_000

/** The certificates of an authority that are no longer good, signed by it. */
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
