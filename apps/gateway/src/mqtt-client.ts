import { createHash } from 'node:crypto'
import { countedOrder, type DownItem, type Identity } from '@wattdeck/contract/events/device-bus.ts'
import {
  type DeviceAnswer,
  type DeviceCommand,
  type DeviceOrder,
  isBillingEvent,
} from '@wattdeck/device-protocol/message.ts'
import { encodeAnswer, encodeCommand } from '@wattdeck/device-protocol/mqtt-json/down.ts'
import { allUpTopics, downTopic, parseTopic } from '@wattdeck/device-protocol/mqtt-json/topics.ts'
import { decodeUp, type UpEvent, upKinds, type UpRefused } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { connect, type MqttClient } from 'mqtt'
import { Counter, Gauge } from 'prom-client'
import { swipeAnswer } from './swipe-answer.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'

const linked = new Gauge({ name: 'gateway_mqtt_connected', help: '1 while subscribed at the MQTT broker' })
const inHandNow = new Gauge({ name: 'gateway_mqtt_in_hand', help: 'Messages of MQTT devices not forwarded yet' })
const strangers = new Counter({ name: 'gateway_mqtt_strangers_total', help: 'Messages of unknown MQTT devices' })
const unreadable = new Counter({
  name: 'gateway_mqtt_unreadable_total',
  help: 'MQTT messages that could not be decoded',
})
const brokerDropped = new Gauge({ name: 'gateway_broker_dropped', help: 'Dropped messages reported by the broker' })
const brokerClients = new Gauge({ name: 'gateway_broker_clients', help: 'Client connections reported by the broker' })
const counted = new Map([
  ['$SYS/broker/publish/messages/dropped', brokerDropped],
  ['$SYS/broker/clients/connected', brokerClients],
])

/** High-water mark. Above it the client stops reading; the broker queues, and counts the messages that it drops. */
const maxInHand = 2000
const pauseMs = 5
/** Passed to the client's socket, so that acknowledgements are not delayed (Nagle's algorithm). */
const socketOptions = { noDelay: true }

export type MqttPlace = {
  url: string
  ca: Buffer | undefined
  cert: Buffer | undefined
  key: Buffer | undefined
  prefix: string
  /** Number of this gateway. */
  number: number
}

/**
 * Name of the shared subscription of all gateways; it must be secret. The broker lets any client join a group and
 * delivers its share before it checks read rights. A device could thus drop messages of others. All gateways have the
 * same key, from which the name derives.
 */
const shareGroup = (key: Buffer, prefix: string): string =>
  createHash('sha256').update(`share ${prefix} `).update(key).digest('hex').slice(0, 32)

function onWire(bytes: Uint8Array, order: DeviceOrder, event?: UpEvent): OnWire {
  const { bootId: boot, seq } = order
  const isRecord = event !== undefined && isBillingEvent[event.kind]
  const record = isRecord ? { key: `${boot}:${seq}`, at: event.deviceTimeS ?? 0 } : undefined
  return { bytes, ord: countedOrder(BigInt(boot), BigInt(seq)), boot, seq, record }
}

/** Consumes the messages of MQTT devices from the broker and acknowledges them. */
export function startMqttClient(intake: MessageIntake, { url, ca, cert, key, prefix, number }: MqttPlace) {
  if (ca === undefined || cert === undefined || key === undefined)
    throw new Error('MQTT_URL needs MQTT_CA, MQTT_CERT and MQTT_KEY')
  const shared = `$share/${shareGroup(key, prefix)}/${allUpTopics}`
  // A persistent session would keep receiving this gateway's share after it stopped.
  const client = connect(url, {
    ca,
    cert,
    key,
    ...socketOptions,
    clientId: `gateway:${prefix}:${number}`,
    protocolVersion: 5,
    clean: true,
    properties: { sessionExpiryInterval: 0 },
    resubscribe: false,
    reconnectPeriod: 1000,
    connectTimeout: 10_000,
  })
  const reader = new MqttReader(intake, client)
  let isLinked = false
  const setLinked = (is: boolean) => {
    isLinked = is
    linked.set(Number(is))
  }
  intake.attachAdapter('mqtt-json', { sendCommand: (item) => void reader.sendCommand(item), cut: () => undefined })
  let isPaused = false
  const subscribe = () => {
    client.subscribeAsync([...(isPaused ? [] : [shared]), ...counted.keys()], { qos: 1 }).then(
      () => setLinked(true),
      (error: unknown) => intake.log.error({ err: error }, 'MQTT subscription refused by the broker'),
    )
  }
  client.on('connect', subscribe)
  client.on('close', () => setLinked(false))
  client.on('error', (error) => intake.log.warn({ err: error }, 'MQTT broker unreachable; will reconnect'))
  // Backpressure: the broker limits unacknowledged messages, so delaying acknowledgements slows it down.
  client.handleMessage = (packet, done) => {
    const { topic, payload } = packet
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    void reader.take(topic, bytes)
    reader.whenRoom(done)
  }
  return {
    isLinked: () => isLinked,
    /** Unsubscribes, so that the other gateways receive the messages. */
    pause() {
      isPaused = true
      if (client.connected) client.unsubscribe(shared)
    },
    resume() {
      isPaused = false
      if (client.connected) subscribe()
    },
    /** Stops reading; all messages already read are published when this returns. */
    async drain() {
      if (client.connected) await client.unsubscribeAsync(shared).catch(() => undefined)
      while (reader.inHand > 0) await pause()
    },
    end: () => client.endAsync(true),
  }
}

const pause = () => new Promise<void>((resume) => setTimeout(resume, pauseMs))

class MqttReader {
  readonly #intake: MessageIntake
  readonly #client: MqttClient
  inHand = 0

  constructor(intake: MessageIntake, client: MqttClient) {
    this.#intake = intake
    this.#client = client
  }

  whenRoom(go: () => void): void {
    if (this.inHand < maxInHand) go()
    else setTimeout(() => this.whenRoom(go), pauseMs)
  }

  /** Never rejects. A message that is not accepted is not acknowledged, and the device resends records. */
  async take(topic: string, payload: Uint8Array): Promise<void> {
    const gauge = counted.get(topic)
    if (gauge !== undefined) gauge.set(Number(Buffer.from(payload).toString()) || 0)
    const sender = parseTopic(topic)
    if (sender === undefined) return
    this.inHand++
    inHandNow.set(this.inHand)
    try {
      const identity = await this.#intake.identify('mqtt-json', sender.deviceNo)
      await this.#intake.waitForCapacity()
      if (identity === null) strangers.inc()
      else this.#understand(identity, sender.deviceNo, payload)
    } catch (error) {
      this.#intake.log.error({ err: error, topic }, 'MQTT message failed; not acknowledged')
    } finally {
      this.inHand--
      inHandNow.set(this.inHand)
    }
  }

  /** The broker queues it for a device that is briefly offline; the device checks the expiry itself. */
  async sendCommand(item: DownItem): Promise<void> {
    const { id, d: deviceId, w: deviceNo, n: counter, at: issuedAtS, exp: expiresAtS } = item
    const commandParams = { id, counter, issuedAtS, expiresAtS, command: item.c as DeviceCommand }
    const message = encodeCommand(commandParams)
    if (!message.ok) return this.#intake.publishFailure({ deviceId }, id, 'unsupported')
    // While the broker is unavailable the client would queue the message without a report.
    if (!this.#client.connected) return this.#intake.publishFailure({ deviceId }, id, 'absent')
    this.#intake.publishSent({ deviceId }, item, Buffer.from(message.value))
    await this.#client
      .publishAsync(downTopic(deviceNo), message.value, { qos: 1 })
      .catch(() => this.#intake.publishFailure({ deviceId }, id, 'lineLost'))
  }

  #understand(identity: Identity, deviceNo: string, payload: Uint8Array): void {
    const decoded = decodeUp(payload)
    if (!decoded.ok) return this.#refuse(identity, deviceNo, payload, decoded)
    const event = decoded.value
    const wire = onWire(payload, event.order, event)
    const session = wire.ord ?? ''
    if (event.kind === 'here') this.#intake.send(identity, { kind: 'connected', session }, wire)
    else if (event.kind === 'gone') this.#intake.send(identity, { kind: 'disconnected', session, reason: 'gone' }, wire)
    else if (event.kind === 'swipe')
      this.#intake.swipe(identity, event, { ...wire, key: wire.record?.key ?? session }, (decided) => {
        this.#sendAnswer(deviceNo, { kind: 'ack', order: event.order })
        this.#sendAnswer(deviceNo, swipeAnswer('mqttJson', event, decided))
      })
    else {
      const answer = () => this.#sendAnswer(deviceNo, { kind: 'ack', order: event.order })
      this.#intake.take(identity, event, wire, upKinds[event.kind].acknowledged ? answer : undefined)
    }
  }

  /** An undecodable record is acknowledged as bad, otherwise the device would resend it forever. */
  #refuse(identity: Identity, deviceNo: string, payload: Uint8Array, { reason, order }: UpRefused): void {
    unreadable.inc()
    if (order === undefined) return
    const number = this.#intake.send(identity, { kind: 'unreadable', reason }, onWire(payload, order))
    if (number !== undefined) this.#sendAnswer(deviceNo, { kind: 'ack', order, bad: reason })
  }

  /** Lost while the broker is unavailable; the device then resends its message. */
  #sendAnswer(deviceNo: string, answer: DeviceAnswer): void {
    const message = encodeAnswer(answer)
    if (!message.ok) this.#intake.log.error({ reason: message.reason, deviceNo }, 'device reply could not be encoded')
    else if (this.#client.connected) this.#client.publish(downTopic(deviceNo), message.value, { qos: 0 })
  }
}
