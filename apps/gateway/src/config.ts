import { readFileSync } from 'node:fs'
import { readBusAccess } from '@wattdeck/bus/bus-access.ts'
import { parseNetworks } from './address-guard.ts'

/** Everything the gateway takes from its environment, read once. Development defaults fit a fresh machine. */
const env = (name: string, fallback: string) => process.env[name] ?? fallback

/** A value that is no number stops the process at its start. */
function number(name: string, fallback: number): number {
  const text = env(name, String(fallback))
  if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not '${text}'`)
  return Number(text)
}

/** Loopback and private ranges. */
const privateNetworks = '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,::1/128,fc00::/7,fe80::/10'

const optionalPort = (text: string) => (text === '' ? undefined : Number(text))

export type Config = ReturnType<typeof readConfig>

export function readConfig() {
  const file = (name: string) => {
    const path = env(name, '')
    return path === '' ? undefined : readFileSync(path)
  }
  const natsUrl = env('NATS_URL', 'nats://127.0.0.1:4222')
  return {
    host: env('GATEWAY_HOST', '127.0.0.1'),
    /** Of the ports for health, readiness and metrics, which are not for devices. */
    adminHost: env('ADMIN_HOST', '127.0.0.1'),
    dnyPort: number('DNY_PORT', 7010),
    /** OCPP charge points. Without TLS only where a port is named: that door sends passwords in the clear. */
    ocppPort: optionalPort(env('OCPP_PORT', '')),
    ocppTls: {
      port: optionalPort(env('OCPP_TLS_PORT', '')),
      cert: file('OCPP_TLS_CERT'),
      key: file('OCPP_TLS_KEY'),
      ca: file('OCPP_TLS_CA'),
    },
    ykcPort: number('YKC_PORT', 7020),
    /** DNY and YKC devices prove nothing: they are let in from these networks only. */
    deviceNetworks: parseNetworks(env('DEVICE_NETWORKS', privateNetworks)),
    /** Of DNY and YKC devices from one address. Many devices behind one front or NAT share theirs. */
    maxSocketsPerAddress: number('MAX_SOCKETS_PER_ADDRESS', 1000),
    /** So long a device has to answer on the line that it has, when another line claims it. */
    lineProbeMs: number('LINE_PROBE_MS', 15_000),
    adminPort: number('GATEWAY_ADMIN_PORT', 3005),
    natsUrl,
    natsAccess: readBusAccess(natsUrl),
    prefix: env('PREFIX', env('DATABASE', 'wattdeck')),
    logLevel: env('LOG_LEVEL', 'info'),
    /** Empty: no MQTT. The gateway shows a certificate of its own, whose name the broker lets read and write all topics. */
    mqtt: {
      url: env('MQTT_URL', ''),
      ca: file('MQTT_CA'),
      cert: file('MQTT_CERT'),
      key: file('MQTT_KEY'),
    },
    /** Of the guard beside the broker: the list of revoked certificates that the broker reads, and where its pid stands. */
    guard: {
      crlFile: env('BROKER_CRL', ''),
      pidFile: env('BROKER_PID_FILE', ''),
      adminPort: number('GUARD_ADMIN_PORT', 3007),
    },
    /** Open sockets of a protocol; beyond it new ones are closed at once, and devices try another copy. */
    maxSockets: number('MAX_SOCKETS', 60_000),
    /**
     * For the proof that it matters, never for use: answers records before the database has them, so that a crash
     * loses some that the device has already forgotten.
     */
    answerEarly: env('GATEWAY_ANSWER_EARLY', '') === 'lose-records',
  }
}
