import { X509Certificate } from 'node:crypto'
import { type Issuer, openIssuer, type Pems } from './x509/certificate.ts'

/** The authority that signs devices. Undefined where none is configured: then no certificate is issued or revoked here. */
export type DeviceCa = { issuer: Issuer; cert: string; name: string; notAfterMs: number }

export function openDeviceCa({ cert, key }: Pems): DeviceCa | undefined {
  if (cert === '' || key === '') return undefined
  const own = new X509Certificate(cert)
  const name = /^CN=(.*)$/m.exec(own.subject)?.[1] ?? own.subject
  return { issuer: openIssuer({ cert, key }), cert, name, notAfterMs: Date.parse(own.validTo) }
}
