import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  makeAuthority,
  makeCertificate,
  openIssuer,
  type Pems,
} from '../../apps/server/src/kit/crypto/x509/certificate.ts'
import { makeCrl } from '../../apps/server/src/kit/crypto/x509/crl.ts'

/**
 * Certificates for development and tests. Two authorities, as in production: one signs devices, one signs the
 * platform's own (the broker, the gateways). A device certificate is therefore never valid as a platform certificate,
 * whatever its name.
 */
const days = 3650

type StoredCertificates = { devices: Pems; platform: Pems; server: Pems; gateway: Pems; issued: Record<string, Pems> }

export type DeviceCa = ReturnType<typeof openDeviceCa>

/** Stores everything in one file of the folder, created when missing, and the broker's parts as separate files. */
export function openDeviceCa(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'certificates.json')
  const path = (name: string) => join(folder, name)
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoredCertificates) : newAuthorities()
  const devices = openIssuer(stored.devices)
  // An atomic replacement: a reader sees the old file or the new one, never a partial one.
  const save = () => {
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(stored), { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
  }
  if (!existsSync(file)) save()
  const write = (name: string, text: string) => writeFileSync(path(name), text, { mode: 0o600 })
  write('devices-ca.pem', stored.devices.cert)
  write('devices-ca.key', stored.devices.key)
  // The broker does not start without a CRL; a guard beside it updates it.
  if (!existsSync(path('devices.crl'))) write('devices.crl', makeCrl(devices, []))
  write('platform-ca.pem', stored.platform.cert)
  write('server.pem', stored.server.cert)
  write('server.key', stored.server.key)
  write('gateway.pem', stored.gateway.cert)
  write('gateway.key', stored.gateway.key)
  return {
    folder,
    /** The authority by which a device verifies the broker. */
    platformCa: stored.platform.cert,
    gateway: stored.gateway,
    /** The environment of a gateway process for the broker. */
    gatewayEnv: (port: number) => ({
      MQTT_URL: `mqtts://127.0.0.1:${port}`,
      MQTT_CA: path('platform-ca.pem'),
      MQTT_CERT: path('gateway.pem'),
      MQTT_KEY: path('gateway.key'),
    }),
    /** The authority by which a worker issues and revokes device certificates; the api needs the certificate only. */
    authority: { cert: stored.devices.cert, key: stored.devices.key },
    authorityEnv: { DEVICE_CA_CERT: path('devices-ca.pem'), DEVICE_CA_KEY: path('devices-ca.key') },
    /** The list of revoked certificates that the broker reads. */
    crlFile: path('devices.crl'),
    /** One certificate per device number, the same at each call. */
    issue(deviceNos: readonly string[]): Map<string, Pems> {
      const missing = deviceNos.filter((no) => stored.issued[no] === undefined)
      for (const cn of missing) {
        const { cert, key } = makeCertificate({ cn, days, issuer: devices })
        stored.issued[cn] = { cert, key }
      }
      if (missing.length > 0) save()
      return new Map(deviceNos.flatMap((no) => (stored.issued[no] === undefined ? [] : [[no, stored.issued[no]]])))
    },
  }
}

function newAuthorities(): StoredCertificates {
  const devices = makeAuthority('Wattdeck devices (development)', days)
  const platform = makeAuthority('Wattdeck platform (development)', days)
  const issuer = openIssuer(platform)
  const server = makeCertificate({ cn: 'broker', days, issuer, hosts: ['127.0.0.1', 'localhost'] })
  const gateway = makeCertificate({ cn: 'gateway', days, issuer })
  const pems = ({ cert, key }: Pems): Pems => ({ cert, key })
  return {
    devices,
    platform,
    server: pems(server),
    gateway: pems(gateway),
    issued: {},
  }
}
