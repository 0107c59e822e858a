import { readFileSync } from 'node:fs'
import { readBusAccess } from '@wattdeck/bus/bus-access.ts'
import { parseNetworks } from './address-guard.ts'

/** The gateway's environment, read once. The defaults suit a development machine. */
const env = (name: string, fallback: string) => process.env[name] ?? fallback

/** Throws when the value is not a number, which stops the process at its start. */
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
    /** Bind address of health, readiness and metrics, which devices must not reach. */
    adminHost: env('ADMIN_HOST', '127.0.0.1'),
    dnyPort: number('DNY_PORT', 7010),
    /** OCPP port without TLS, closed unless configured: it carries passwords in clear text. */
    ocppPort: optionalPort(env('OCPP_PORT', '')),
    ocppTls: {
      port: optionalPort(env('OCPP_TLS_PORT', '')),
      cert: file('OCPP_TLS_CERT'),
      key: file('OCPP_TLS_KEY'),
      ca: file('OCPP_TLS_CA'),
    },
    ykcPort: number('YKC_PORT', 7020),
    /** DNY and YKC devices do not authenticate, so only these networks may connect. */
    deviceNetworks: parseNetworks(env('DEVICE_NETWORKS', privateNetworks)),
    /** Limit for DNY and YKC sockets. Devices behind one proxy or NAT share it. */
    maxSocketsPerAddress: number('MAX_SOCKETS_PER_ADDRESS', 1000),
    /** How long a device may take to respond on its current connection when another connection claims it. */
    lineProbeMs: number('LINE_PROBE_MS', 15_000),
    adminPort: number('GATEWAY_ADMIN_PORT', 3005),
    natsUrl,
    natsAccess: readBusAccess(natsUrl),
    prefix: env('PREFIX', env('DATABASE', 'wattdeck')),
    logLevel: env('LOG_LEVEL', 'info'),
    /** An empty URL disables MQTT. The broker grants all topics to the name in the gateway's certificate. */
    mqtt: {
      url: env('MQTT_URL', ''),
      ca: file('MQTT_CA'),
      cert: file('MQTT_CERT'),
      key: file('MQTT_KEY'),
    },
    /** Broker guard: the revocation list that the broker reads, and the broker's pid file. */
    guard: {
      crlFile: env('BROKER_CRL', ''),
      pidFile: env('BROKER_PID_FILE', ''),
      adminPort: number('GUARD_ADMIN_PORT', 3007),
    },
    /** Open sockets per protocol. Further sockets are closed at once, and devices try another gateway. */
    maxSockets: number('MAX_SOCKETS', 60_000),
    /**
     * Fault injection for tests, never for production: acknowledges records before the commit, so that a crash loses
     * records.
     */
    answerEarly: env('GATEWAY_ANSWER_EARLY', '') === 'lose-records',
  }
}
