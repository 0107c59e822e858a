import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { type Cut, deviceBus, type Revocations } from '@wattdeck/contract/events/device-bus.ts'
import { connectAsync } from 'mqtt'
import type { Logger } from 'pino'
import { busCallback } from './bus-callback.ts'
import type { Config } from './config.ts'

/** Looks by itself, in case it was not told: while the bus was away, or when the time of a certificate is over. */
const everyMs = 60_000
const firstTriesMs = 2000
/** The broker reads its list between two turns of its loop. A device that is thrown out before would be let in again. */
const settleMs = 300
/** A busy broker may be late: whoever came back meanwhile is thrown out again. */
const secondKickMs = 2000
const atOnce = 20

export type GuardConfig = Pick<Config, 'natsUrl' | 'natsAccess' | 'prefix' | 'mqtt' | 'guard'>

/**
 * Stands beside the broker of MQTT devices. Keeps its list of revoked certificates current, tells it to read it, and
 * ends the sessions of who is on it: a broker asks about a certificate only when somebody connects.
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
  /** To be thrown out, whatever the list says: the line may be open by a credential that was revoked. */
  readonly #wanted = new Set<string>()
  /** Thrown out already. */
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

  /** Looks now, or once more when it is looking already. */
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

  /** Answers whether the broker's list is that of the database now. */
  async refresh(): Promise<boolean> {
    try {
      const subject = deviceBus.revocations(this.#config.prefix)
      const { crl, version, barred } = (await this.#bus.request(subject, '', { timeout: 5000 })).json<Revocations>()
      if (crl === null) throw new Error('the workers have no authority: set DEVICE_CA_CERT and DEVICE_CA_KEY')
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

  /** A broker that starts meanwhile finds the old list or the new one, never half of it. */
  #publish(crl: string): void {
    const { crlFile, pidFile } = this.#config.guard
    writeFileSync(`${crlFile}.new`, crl, { mode: 0o644 })
    renameSync(`${crlFile}.new`, crlFile)
    try {
      process.kill(Number(readFileSync(pidFile, 'utf8').trim()), 'SIGHUP')
    } catch (error) {
      // One that is not running reads the list when it starts.
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

  /** Whoever connects under a client id ends the session that has it. Devices cannot do that: theirs is their certificate. */
  async #kick(wireId: string): Promise<void> {
    const { url, ca, cert, key } = this.#config.mqtt
    if (ca === undefined || cert === undefined || key === undefined)
      throw new Error('MQTT_URL needs MQTT_CA, MQTT_CERT and MQTT_KEY')
    const options = { ca, cert, key, clientId: wireId, clean: true, reconnectPeriod: 0, connectTimeout: 3000 }
    const client = await connectAsync(url, options, false)
    await client.endAsync()
  }
}
