import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { type Cut, deviceBus, type Revocations } from '@wattdeck/contract/events/device-bus.ts'
import { connectAsync } from 'mqtt'
import type { Logger } from 'pino'
import { busCallback } from './bus-callback.ts'
import type { Config } from './config.ts'

/** Polling interval. It covers messages lost while the bus was unavailable, and certificates that expire. */
const everyMs = 60_000
const firstTriesMs = 2000
/** Mosquitto reloads its list between two turns of its event loop. A device kicked earlier would be admitted again. */
const settleMs = 300
/** A busy broker may reload later, so devices that reconnected meanwhile are kicked a second time. */
const secondKickMs = 2000
const atOnce = 20

export type GuardConfig = Pick<Config, 'natsUrl' | 'natsAccess' | 'prefix' | 'mqtt' | 'guard'>

/**
 * Sidecar of the MQTT broker. It keeps the certificate revocation list current, makes the broker reload it, and ends
 * the sessions of revoked devices. The broker checks a certificate only when a client connects.
 */
export async function startBrokerGuard(config: GuardConfig, log: Logger) {
  const bus = await connectBus(config.natsUrl, config.natsAccess, 'guard')
  const guard = new BrokerGuard(bus, config, log)
  bus.subscribe(deviceBus.cut(config.prefix), {
    callback: busCallback((message) => guard.cut(message.json<Cut>())),
  })
  while (!(await guard.refresh())) await sleep(firstTriesMs)
  const timer = setInterval(() => guard.wake(), everyMs)
  return {
    ready: () => Date.now() - guard.freshMs < 3 * everyMs,
    async stop() {
      clearInterval(timer)
      await guard.idle()
      await bus.drain()
    },
  }
}

class BrokerGuard {
  readonly #bus: NatsConnection
  readonly #config: GuardConfig
  readonly #log: Logger
  /** Devices to disconnect regardless of the list: their session may use a credential that was revoked. */
  readonly #wanted = new Set<string>()
  /** Devices that were already disconnected. */
  #barred: ReadonlySet<string> = new Set()
  #version = ''
  #working: Promise<void> | undefined
  #again = false
  freshMs = 0

  constructor(bus: NatsConnection, config: GuardConfig, log: Logger) {
    this.#bus = bus
    this.#config = config
    this.#log = log
  }

  cut({ adapter, wireId }: Cut): void {
    if (adapter !== 'mqtt-json') return
    this.#wanted.add(wireId)
    this.wake()
  }

  /** Starts a refresh, or requests one more when a refresh is running. */
  wake(): void {
    this.#again = true
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
    })
  }

  async idle(): Promise<void> {
    await this.#working
  }

  async #work(): Promise<void> {
    while (this.#again) {
      this.#again = false
      if (await this.refresh()) continue
      await sleep(firstTriesMs)
      this.#again = this.#wanted.size > 0
    }
  }

  /** Returns whether the broker's list now matches the database. */
  async refresh(): Promise<boolean> {
    try {
      const subject = deviceBus.revocations(this.#config.prefix)
      const { crl, version, barred } = (await this.#bus.request(subject, '', { timeout: 5000 })).json<Revocations>()
      if (crl === null)
        throw new Error('the workers have no certificate authority: set DEVICE_CA_CERT and DEVICE_CA_KEY')
      if (version !== this.#version) {
        this.#publish(crl)
        this.#version = version
        await sleep(settleMs)
      }
      const out = new Set([...this.#wanted, ...barred.filter((wireId) => !this.#barred.has(wireId))])
      await this.#throwOut(out)
      for (const wireId of out) this.#wanted.delete(wireId)
      this.#barred = new Set(barred)
      this.freshMs = Date.now()
      return true
    } catch (error) {
      this.#log.error({ err: error }, 'revocation list not written; will retry')
      return false
    }
  }

  /** The rename is atomic: a starting broker reads the old list or the new one, never a partial file. */
  #publish(crl: string): void {
    const { crlFile, pidFile } = this.#config.guard
    writeFileSync(`${crlFile}.new`, crl, { mode: 0o644 })
    renameSync(`${crlFile}.new`, crlFile)
    try {
      process.kill(Number(readFileSync(pidFile, 'utf8').trim()), 'SIGHUP')
    } catch (error) {
      // A broker that is not running reads the list when it starts.
      this.#log.warn({ err: error, pidFile }, 'broker reload signal failed')
    }
  }

  async #throwOut(wireIds: ReadonlySet<string>): Promise<void> {
    if (wireIds.size === 0) return
    this.#log.info({ devices: wireIds.size }, 'disconnecting revoked devices')
    await this.#kickAll([...wireIds])
    await sleep(secondKickMs)
    await this.#kickAll([...wireIds])
  }

  async #kickAll(wireIds: readonly string[]): Promise<void> {
    for (let from = 0; from < wireIds.length; from += atOnce)
      await Promise.all(wireIds.slice(from, from + atOnce).map((wireId) => this.#kick(wireId)))
  }

  /**
   * A second connection with a client id ends the first session (MQTT take-over). Devices cannot do this: their client
   * id comes from their certificate.
   */
  async #kick(wireId: string): Promise<void> {
    const { url, ca, cert, key } = this.#config.mqtt
    if (ca === undefined || cert === undefined || key === undefined)
      throw new Error('MQTT_URL needs MQTT_CA, MQTT_CERT and MQTT_KEY')
    const options = { ca, cert, key, clientId: wireId, clean: true, reconnectPeriod: 0, connectTimeout: 3000 }
    const client = await connectAsync(url, options, false)
    await client.endAsync()
  }
}
