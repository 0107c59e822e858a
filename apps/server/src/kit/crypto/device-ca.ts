import { X509Certificate } from 'node:crypto'
import { type Issuer, openIssuer, type Pems } from './x509/certificate.ts'

/** The certificate authority of devices, without its key. Undefined: not configured, no certificates are issued. */
export type DeviceAuthority = { cert: string; name: string; notAfterMs: number }
/** The certificate authority with its key, which only the worker has. */
export type DeviceCa = DeviceAuthority & { issuer: Issuer }

export function readDeviceAuthority({ cert }: Pick<Pems, 'cert'>): DeviceAuthority | undefined {
  if (cert === '') return undefined
  const own = new X509Certificate(cert)
  const name = /^CN=(.*)$/m.exec(own.subject)?.[1] ?? own.subject
  return { cert, name, notAfterMs: Date.parse(own.validTo) }
}

export function openDeviceCa({ cert, key }: Pems): DeviceCa | undefined {
  const authority = readDeviceAuthority({ cert })
  return authority === undefined || key === '' ? undefined : { ...authority, issuer: openIssuer({ cert, key }) }
}
