import type { DeviceEvent, DeviceOrder } from '@wattdeck/device-protocol/message.ts'
import { decodeDown, type MqttCommand } from '@wattdeck/device-protocol/mqtt-json/down.ts'
import { type CommandMemory, judge } from '@wattdeck/device-protocol/mqtt-json/judge.ts'
import { mqttTiming, resendAfterMs } from '@wattdeck/device-protocol/mqtt-json/timing.ts'
import { downTopic, upTopic } from '@wattdeck/device-protocol/mqtt-json/topics.ts'
import { encodeUp } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { refusal } from '@wattdeck/device-protocol/refusal.ts'
import { connect, type MqttClient } from 'mqtt'
import type { Faults } from './faults.ts'
import { Cable, type Hearing, type Identity, type Obeyed, type Wire } from './wire.ts'

const reorderMs = 200
const connectMs = 20_000
/** The client hands these on to its socket. */
const socketOptions = { noDelay: true }

export type Certificate = { cert: string; key: string }
export type MqttPlace = {
  urls: readonly string[]
  /** What the broker's certificate is checked by. */
  ca: string
  /** By device number. */
  certificates: ReadonlyMap<string, Certificate>
  /** How often these devices have started, this time included. Must grow from run to run. */
  boot: number
}

/** A device on MQTT with a certificate of its own. It comes back by itself, after longer and longer waits. */
export function mqttWire(
  identity: Identity,
  place: MqttPlace,
  faults: Faults,
  random: () => number,
  hear: Hearing,
): Wire {
  const line = new Line(identity.deviceNo, place, random, hear)
  function send(event: DeviceEvent, order: DeviceOrder): void {
    const message = written({ ...event, order })
    if (random() < faults.drop) return
    if (random() < faults.reorder) setTimeout(() => line.publish(message), reorderMs * random()).unref()
    else line.publish(message)
    if (random() < faults.duplicate) line.publish(message)
  }
  return {
    connect: () => line.open(),
    resendAfterMs,
    send: (event) => send(event, line.nextOrder()),
    sendRecord: (key, event, copies = 1) => {
      for (let copy = 0; copy < copies; copy++) send(event, line.orderOf(key))
    },
    sendGarbage: () =>
      line.publish(Buffer.from(Array.from({ length: 1 + Math.floor(random() * 300) }, () => random() * 256))),
    cut: (forMs) => line.cut(forMs),
    restart: () => line.restart(),
    end: () => line.end(),
  }
}

class Line {
  readonly #deviceNo: string
  readonly #place: MqttPlace
  readonly #certificate: Certificate
  readonly #random: () => number
  readonly #hear: Hearing
  readonly #cable = new Cable()
  /** The places that stored records have, and which record an acknowledgement is of. */
  readonly #orders = new Map<string, DeviceOrder>()
  readonly #stored = new Map<string, string>()
  #client: MqttClient | undefined
  /** In its flash: the last command, and what was said to it. */
  #memory: CommandMemory = { counter: 0, id: undefined }
  #result: Obeyed | undefined
  #boot: number
  /** The place of the connection. */
  #session: DeviceOrder | undefined
  #seq = 0
  #tries = 0
  #ended = false

  constructor(deviceNo: string, place: MqttPlace, random: () => number, hear: Hearing) {
    const certificate = place.certificates.get(deviceNo)
    if (certificate === undefined) throw new Error(`${deviceNo} has no certificate`)
    this.#deviceNo = deviceNo
    this.#place = place
    this.#boot = place.boot
    this.#certificate = certificate
    this.#random = random
    this.#hear = hear
  }

  open(): void {
    // It may have left for good while it waited to come back.
    if (this.#ended || !this.#cable.isThere(() => this.open())) return
    const { urls, ca } = this.#place
    // Drawn before it connects: the last will names the connection by it, and so does the first message.
    const order = this.nextOrder()
    this.#session = order
    const will = { topic: upTopic(this.#deviceNo), payload: Buffer.from(written({ kind: 'gone', order })) }
    const mine = connect(urls[this.#tries % urls.length] ?? '', {
      ca,
      ...this.#certificate,
      ...socketOptions,
      clientId: this.#deviceNo,
      username: this.#deviceNo,
      protocolVersion: 4,
      clean: false,
      keepalive: mqttTiming.keepAliveS,
      reconnectPeriod: 0,
      connectTimeout: connectMs,
      resubscribe: false,
      will: { ...will, qos: 1, retain: false },
    })
    this.#client = mine
    mine.on('connect', () => {
      this.#tries = 0
      mine.subscribe(downTopic(this.#deviceNo), { qos: 1 })
      this.publish(written({ kind: 'here', order }))
      this.#hear.onUp()
    })
    mine.on('message', (_, payload) => this.#heard(payload))
    mine.on('error', () => undefined) // 'close' follows
    mine.on('close', () => this.#closed(mine))
  }

  publish(message: string | Buffer): void {
    // That the broker has it means nothing, so nobody waits for its word.
    if (this.#client?.connected === true)
      this.#client.publish(upTopic(this.#deviceNo), message, { qos: 1 }, () => undefined)
  }

  nextOrder(): DeviceOrder {
    this.#seq += 1
    return { bootId: this.#boot, seq: this.#seq }
  }

  /** The same as before for a record that is sent again. */
  orderOf(key: string): DeviceOrder {
    const order = this.#orders.get(key) ?? this.nextOrder()
    this.#orders.set(key, order)
    this.#stored.set(nameOf(order), key)
    return order
  }

  cut(forMs = 0): void {
    this.#cable.pull(forMs)
    this.#client?.stream.destroy()
  }
  /** Says that it leaves, because a will is not said for who leaves on purpose. */
  restart(): void {
    if (this.#session !== undefined) this.publish(written({ kind: 'gone', order: this.#session }))
    this.#boot += 1
    this.#seq = 0
    this.#client?.end()
  }
  end(): void {
    this.#ended = true
    this.cut()
  }

  #closed(mine: MqttClient): void {
    mine.end(true)
    if (this.#client !== mine) return
    this.#client = undefined
    this.#hear.onDown()
    if (this.#ended) return
    const doubled = mqttTiming.reconnectFirstMs * 2 ** Math.min(this.#tries, 10)
    this.#tries += 1
    const longest = Math.min(mqttTiming.reconnectMaxMs, doubled)
    setTimeout(() => this.open(), longest * (0.5 + 0.5 * this.#random())).unref()
  }

  #heard(payload: Uint8Array): void {
    const said = decodeDown(payload)
    if (!said.ok) return
    if (said.value.kind === 'command') return this.#told(said.value.sent)
    const { answer } = said.value
    if (answer.kind !== 'ack' || answer.order === undefined) return
    const key = this.#stored.get(nameOf(answer.order))
    if (key === undefined) return
    this.#stored.delete(nameOf(answer.order))
    this.#orders.delete(key)
    this.#hear.onAcked(key)
  }

  #told(sent: MqttCommand): void {
    const verdict = judge(sent, this.#memory, Math.floor(Date.now() / 1000))
    if (verdict === 'again') {
      if (this.#result !== undefined) this.#say(sent.id, this.#result)
      return
    }
    if (verdict !== 'oldCounter') this.#memory = { counter: sent.counter, id: sent.id }
    if (verdict !== 'run') return this.#say(sent.id, { refused: verdict })
    this.#result = undefined
    this.#hear.onCommand(sent.command, (obeyed) => {
      this.#result = obeyed
      this.#say(sent.id, obeyed)
    })
  }

  #say(commandId: string, { refused, ...result }: Obeyed): void {
    const ok = refused === undefined
    const why = ok ? undefined : { name: refused, raw: refusal.rows[refused].mqttJson?.[0] ?? 0 }
    this.#hear.onResult({ kind: 'commandResult', commandId, ok, carriedOut: ok, refusal: why, ...result })
  }
}

const nameOf = ({ bootId, seq }: DeviceOrder) => `${bootId}:${seq}`

function written(event: DeviceEvent): string {
  const message = encodeUp(event)
  if (!message.ok) throw new Error(`${event.kind}: ${message.reason}`)
  return message.value
}
