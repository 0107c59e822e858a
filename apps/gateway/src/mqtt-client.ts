import { createHash } from 'node:crypto'
import { countedOrder, type DownItem, type Identity } from '@wattdeck/contract/events/device-bus.ts'
import {
  type DeviceAnswer,
  type DeviceCommand,
  type DeviceOrder,
  restsOnIt,
} from '@wattdeck/device-protocol/message.ts'
import { encodeAnswer, encodeCommand } from '@wattdeck/device-protocol/mqtt-json/down.ts'
import { allUpTopics, downTopic, parseTopic } from '@wattdeck/device-protocol/mqtt-json/topics.ts'
import { decodeUp, type UpEvent, upKinds, type UpRefused } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { connect, type MqttClient } from 'mqtt'
import { Counter, Gauge } from 'prom-client'
import { swipeAnswer } from './swipe-answer.ts'
import type { OnWire, MessageIntake } from './message-intake.ts'

const linked = new Gauge({ name: 'gateway_mqtt_connected', help: '1 while the broker sends us what devices say' })
const inHandNow = new Gauge({ name: 'gateway_mqtt_in_hand', help: 'Messages of MQTT devices not given on yet' })
const strangers = new Counter({ name: 'gateway_mqtt_strangers_total', help: 'Messages of devices that nobody knows' })
const unreadable = new Counter({ name: 'gateway_mqtt_unreadable_total', help: 'Messages that say nothing we know' })
const brokerDropped = new Gauge({ name: 'gateway_broker_dropped', help: 'Messages that the broker says it dropped' })
const brokerClients = new Gauge({ name: 'gateway_broker_clients', help: 'Connections that the broker says it has' })
const counted = new Map([
  ['$SYS/broker/publish/messages/dropped', brokerDropped],
  ['$SYS/broker/clients/connected', brokerClients],
])

/** Beyond it nothing more is read: the broker queues, and counts what it drops. */
const maxInHand = 2000
const pauseMs = 5
/** The client hands these on to its socket. An acknowledgement must not wait for the next one. */
const socketOptions = { noDelay: true }

export type MqttPlace = {
  url: string
  ca: Buffer | undefined
  cert: Buffer | undefined
  key: Buffer | undefined
  prefix: string
  /** This gateway's own number. */
  number: number
}

/**
 * The group in which the gateways share what devices say. It must not be guessed: the broker lets anybody join any
 * group, gives a member its part, and only then finds that it may not read it; so a device could swallow messages of
 * others. All gateways have the same key.
 */
const shareGroup = (key: Buffer, prefix: string): string =>
  createHash('sha256').update(`share ${prefix} `).update(key).digest('hex').slice(0, 32)

function onWire(bytes: Uint8Array, order: DeviceOrder, event?: UpEvent): OnWire {
  const { bootId: boot, seq } = order
  const isRecord = event !== undefined && restsOnIt[event.kind]
  const record = isRecord ? { key: `${boot}:${seq}`, at: event.deviceTimeS ?? 0 } : undefined
  return { bytes, ord: countedOrder(BigInt(boot), BigInt(seq)), boot, seq, record }
}

/** Reads what MQTT devices say from the broker, and tells them that it has arrived. */
export function startMqttClient(intake: MessageIntake, { url, ca, cert, key, prefix, number }: MqttPlace) {
  if (ca === undefined || cert === undefined || key === undefined)
    throw new Error('MQTT_URL needs MQTT_CA, MQTT_CERT and MQTT_KEY')
  const shared = `$share/${shareGroup(key, prefix)}/${allUpTopics}`
  // A session that outlived us would go on receiving our part of the messages, for nobody.
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
  intake.holdAll('mqtt-json', { tell: (item) => void reader.tell(item), cut: () => undefined })
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
  // The broker sends no more than it may have unacknowledged; so not acknowledging slows it down.
  client.handleMessage = (packet, done) => {
    const { topic, payload } = packet
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    void reader.take(topic, bytes)
    reader.whenRoom(done)
  }
  return {
    isLinked: () => isLinked,
    /** Leaves what devices say to the other gateways. */
    pause() {
      isPaused = true
      if (client.connected) client.unsubscribe(shared)
    },
    resume() {
      isPaused = false
      if (client.connected) subscribe()
    },
    /** Reads nothing more; what was read is on its way when this returns. */
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

  /** Never fails: what cannot be taken is not acknowledged, and comes again if it matters. */
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

  /** The broker keeps it for a device that is away for a moment; the device itself sees that it has not expired. */
  async tell(item: DownItem): Promise<void> {
    const { id, d: deviceId, w: deviceNo, n: counter, at: issuedAtS, exp: expiresAtS } = item
    const sent = { id, counter, issuedAtS, expiresAtS, command: item.c as DeviceCommand }
    const message = encodeCommand(sent)
    if (!message.ok) return this.#intake.givenUp({ deviceId }, id, 'unsupported')
    // While the broker is away it would wait here, and nobody would know.
    if (!this.#client.connected) return this.#intake.givenUp({ deviceId }, id, 'absent')
    this.#intake.told({ deviceId }, item, Buffer.from(message.value))
    await this.#client
      .publishAsync(downTopic(deviceNo), message.value, { qos: 1 })
      .catch(() => this.#intake.givenUp({ deviceId }, id, 'lineLost'))
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
        this.#say(deviceNo, { kind: 'ack', order: event.order })
        this.#say(deviceNo, swipeAnswer('mqttJson', event, decided))
      })
    else {
      const answer = () => this.#say(deviceNo, { kind: 'ack', order: event.order })
      this.#intake.take(identity, event, wire, upKinds[event.kind].acknowledged ? answer : undefined)
    }
  }

  /** A record that nobody can use is acknowledged nevertheless: it would come again for ever. */
  #refuse(identity: Identity, deviceNo: string, payload: Uint8Array, { reason, order }: UpRefused): void {
    unreadable.inc()
    if (order === undefined) return
    const number = this.#intake.send(identity, { kind: 'unreadable', reason }, onWire(payload, order))
    if (number !== undefined) this.#say(deviceNo, { kind: 'ack', order, bad: reason })
  }

  /** Lost when the broker is away: then the device asks again by sending again. */
  #say(deviceNo: string, answer: DeviceAnswer): void {
    const message = encodeAnswer(answer)
    if (!message.ok) this.#intake.log.error({ reason: message.reason, deviceNo }, 'device reply could not be encoded')
    else if (this.#client.connected) this.#client.publish(downTopic(deviceNo), message.value, { qos: 0 })
  }
}
