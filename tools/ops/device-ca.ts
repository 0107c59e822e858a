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
 * Certificates for development and tests. Two authorities, as in production: one signs devices, one signs the platform's
 * own (the broker, the gateways), so that no certificate of a device can ever be one of ours, whatever its name.
 */
const days = 3650

type Kept = { devices: Pems; platform: Pems; server: Pems; gateway: Pems; issued: Record<string, Pems> }

export type DeviceCa = ReturnType<typeof openDeviceCa>

/** Everything in one file of the folder, made when it is missing; the broker's parts as files of their own. */
export function openDeviceCa(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'certificates.json')
  const path = (name: string) => join(folder, name)
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : newAuthorities()
  const devices = openIssuer(kept.devices)
  // A reader sees the old file or the new one, never half of it.
  const save = () => {
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 })
    renameSync(`${file}.${process.pid}`, file)
  }
  if (!existsSync(file)) save()
  const write = (name: string, text: string) => writeFileSync(path(name), text, { mode: 0o600 })
  write('devices-ca.pem', kept.devices.cert)
  write('devices-ca.key', kept.devices.key)
  // The broker does not start without one; a guard beside it keeps it current.
  if (!existsSync(path('devices.crl'))) write('devices.crl', makeCrl(devices, []))
  write('platform-ca.pem', kept.platform.cert)
  write('server.pem', kept.server.cert)
  write('server.key', kept.server.key)
  write('gateway.pem', kept.gateway.cert)
  write('gateway.key', kept.gateway.key)
  return {
    folder,
    /** What a device checks the broker by. */
    platformCa: kept.platform.cert,
    gateway: kept.gateway,
    /** What a gateway process needs to reach the broker. */
    gatewayEnv: (port: number) => ({
      MQTT_URL: `mqtts://127.0.0.1:${port}`,
      MQTT_CA: path('platform-ca.pem'),
      MQTT_CERT: path('gateway.pem'),
      MQTT_KEY: path('gateway.key'),
    }),
    /** What a worker needs to issue and revoke devices' certificates; the api needs the certificate only. */
    authority: { cert: kept.devices.cert, key: kept.devices.key },
    authorityEnv: { DEVICE_CA_CERT: path('devices-ca.pem'), DEVICE_CA_KEY: path('devices-ca.key') },
    /** The list of revoked certificates that the broker reads. */
    crlFile: path('devices.crl'),
    /** One for each device number, the same each time it is asked for. */
    issue(deviceNos: readonly string[]): Map<string, Pems> {
      const missing = deviceNos.filter((no) => kept.issued[no] === undefined)
      for (const cn of missing) {
        const { cert, key } = makeCertificate({ cn, days, issuer: devices })
        kept.issued[cn] = { cert, key }
      }
      if (missing.length > 0) save()
      return new Map(deviceNos.flatMap((no) => (kept.issued[no] === undefined ? [] : [[no, kept.issued[no]]])))
    },
  }
}

function newAuthorities(): Kept {
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
