import type { DeviceEvent, DeviceOrder } from '@wattdeck/device-protocol/message.ts'
import { decodeDown, type MqttCommand } from '@wattdeck/device-protocol/mqtt-json/down.ts'
import { type CommandMemory, judge } from '@wattdeck/device-protocol/mqtt-json/judge.ts'
import { mqttTiming, resendAfterMs } from '@wattdeck/device-protocol/mqtt-json/timing.ts'
import { downTopic, upTopic } from '@wattdeck/device-protocol/mqtt-json/topics.ts'
import { encodeUp } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { refusal } from '@wattdeck/device-protocol/refusal.ts'
import { connect, type MqttClient } from 'mqtt'
import type { Faults } from './faults.ts'
import { Cable, type WireCallbacks, type Identity, type Obeyed, type Wire } from './wire.ts'

const reorderMs = 200
const connectMs = 20_000
/** Passed to the client's socket. */
const socketOptions = { noDelay: true }

export type Certificate = { cert: string; key: string }
export type MqttPlace = {
  urls: readonly string[]
  /** CA that signs the broker's certificate. */
  ca: string
  /** Client certificates by device number. */
  certificates: ReadonlyMap<string, Certificate>
  /** Boot count of the devices, this run included. Must increase from run to run. */
  boot: number
}

/** An MQTT device with its own certificate. It reconnects automatically with exponential backoff. */
export function mqttWire(
  identity: Identity,
  place: MqttPlace,
  faults: Faults,
  random: () => number,
  callbacks: WireCallbacks,
): Wire {
  const line = new Line(identity.deviceNo, place, random, callbacks)
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
  readonly #callbacks: WireCallbacks
  readonly #cable = new Cable()
  /** Order by record key, and record key by order, to match acknowledgements. */
  readonly #orders = new Map<string, DeviceOrder>()
  readonly #stored = new Map<string, string>()
  #client: MqttClient | undefined
  /** Simulated flash: the last command, and its result. */
  #memory: CommandMemory = { counter: 0, id: undefined }
  #result: Obeyed | undefined
  #boot: number
  /** The order that identifies the connection. */
  #session: DeviceOrder | undefined
  #seq = 0
  #tries = 0
  #ended = false

  constructor(deviceNo: string, place: MqttPlace, random: () => number, callbacks: WireCallbacks) {
    const certificate = place.certificates.get(deviceNo)
    if (certificate === undefined) throw new Error(`${deviceNo} has no certificate`)
    this.#deviceNo = deviceNo
    this.#place = place
    this.#boot = place.boot
    this.#certificate = certificate
    this.#random = random
    this.#callbacks = callbacks
  }

  open(): void {
    // The device may have been ended while it waited to reconnect.
    if (this.#ended || !this.#cable.isThere(() => this.open())) return
    const { urls, ca } = this.#place
    // Assigned before the connect: the last will and the first message both carry it.
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
      this.#callbacks.onUp()
    })
    mine.on('message', (_, payload) => this.#handleMessage(payload))
    mine.on('error', () => undefined) // 'close' follows
    mine.on('close', () => this.#closed(mine))
  }

  publish(message: string | Buffer): void {
    // The broker's acknowledgement does not mean that the platform committed it, so it is not awaited.
    if (this.#client?.connected === true)
      this.#client.publish(upTopic(this.#deviceNo), message, { qos: 1 }, () => undefined)
  }

  nextOrder(): DeviceOrder {
    this.#seq += 1
    return { bootId: this.#boot, seq: this.#seq }
  }

  /** A resent record keeps its order. */
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
  /** Publishes the goodbye itself, because the broker sends no will after a clean disconnect. */
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
    this.#callbacks.onDown()
    if (this.#ended) return
    const doubled = mqttTiming.reconnectFirstMs * 2 ** Math.min(this.#tries, 10)
    this.#tries += 1
    const longest = Math.min(mqttTiming.reconnectMaxMs, doubled)
    setTimeout(() => this.open(), longest * (0.5 + 0.5 * this.#random())).unref()
  }

  #handleMessage(payload: Uint8Array): void {
    const decoded = decodeDown(payload)
    if (!decoded.ok) return
    if (decoded.value.kind === 'command') return this.#handleCommand(decoded.value.sent)
    const { answer } = decoded.value
    if (answer.kind !== 'ack' || answer.order === undefined) return
    const key = this.#stored.get(nameOf(answer.order))
    if (key === undefined) return
    this.#stored.delete(nameOf(answer.order))
    this.#orders.delete(key)
    this.#callbacks.onAcked(key)
  }

  #handleCommand(mqttCommand: MqttCommand): void {
    const verdict = judge(mqttCommand, this.#memory, Math.floor(Date.now() / 1000))
    if (verdict === 'again') {
      if (this.#result !== undefined) this.#sendResult(mqttCommand.id, this.#result)
      return
    }
    if (verdict !== 'oldCounter') this.#memory = { counter: mqttCommand.counter, id: mqttCommand.id }
    if (verdict !== 'run') return this.#sendResult(mqttCommand.id, { refused: verdict })
    this.#result = undefined
    this.#callbacks.onCommand(mqttCommand.command, (obeyed) => {
      this.#result = obeyed
      this.#sendResult(mqttCommand.id, obeyed)
    })
  }

  #sendResult(commandId: string, { refused, ...result }: Obeyed): void {
    const ok = refused === undefined
    const why = ok ? undefined : { name: refused, raw: refusal.rows[refused].mqttJson?.[0] ?? 0 }
    this.#callbacks.onResult({ kind: 'commandResult', commandId, ok, carriedOut: ok, refusal: why, ...result })
  }
}

const nameOf = ({ bootId, seq }: DeviceOrder) => `${bootId}:${seq}`

function written(event: DeviceEvent): string {
  const message = encodeUp(event)
  if (!message.ok) throw new Error(`${event.kind}: ${message.reason}`)
  return message.value
}
