import type { DeviceEvent, DeviceOrder } from '@wattdeck/device-protocol/message.ts'
import { decodeDown } from '@wattdeck/device-protocol/mqtt-json/down.ts'
import { mqttTiming, resendAfterMs } from '@wattdeck/device-protocol/mqtt-json/timing.ts'
import { downTopic, upTopic } from '@wattdeck/device-protocol/mqtt-json/topics.ts'
import { encodeUp } from '@wattdeck/device-protocol/mqtt-json/up.ts'
import { connect, type MqttClient } from 'mqtt'
import type { Faults } from './faults.ts'
import type { Hearing, Identity, Wire } from './wire.ts'

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
  const { deviceNo } = identity
  const certificate = place.certificates.get(deviceNo)
  if (certificate === undefined) throw new Error(`${deviceNo} has no certificate`)
  const { ca, boot } = place
  const topic = upTopic(deviceNo)
  let client: MqttClient | undefined
  let seq = 0
  let tries = 0
  let ended = false
  /** The places that stored records have, and which record an acknowledgement is of. */
  const orders = new Map<string, DeviceOrder>()
  const sent = new Map<number, string>()

  function open(): void {
    // Drawn before it connects: the last will names the connection by it, and so does the first message.
    const own = { order: nextOrder() }
    const mine = connect(place.urls[tries % place.urls.length] ?? '', {
      ca,
      ...certificate,
      ...socketOptions,
      clientId: deviceNo,
      username: deviceNo,
      protocolVersion: 4,
      clean: false,
      keepalive: mqttTiming.keepAliveS,
      reconnectPeriod: 0,
      connectTimeout: connectMs,
      resubscribe: false,
      queueQoSZero: false,
      will: { topic, payload: Buffer.from(written({ kind: 'gone', ...own })), qos: 1, retain: false },
    })
    client = mine
    mine.on('connect', () => {
      tries = 0
      mine.subscribe(downTopic(deviceNo), { qos: 1 })
      publish(written({ kind: 'here', ...own }))
      hear.onUp()
    })
    mine.on('message', (_, payload) => heard(payload))
    mine.on('error', () => undefined) // 'close' follows
    mine.on('close', () => {
      mine.end(true)
      if (client !== mine) return
      client = undefined
      hear.onDown()
      if (!ended) setTimeout(open, waitMs()).unref()
    })
  }

  function waitMs(): number {
    tries += 1
    const longest = Math.min(mqttTiming.reconnectMaxMs, mqttTiming.reconnectFirstMs * 2 ** Math.min(tries - 1, 10))
    return longest * (0.5 + 0.5 * random())
  }
  function nextOrder(): DeviceOrder {
    seq += 1
    return { bootId: boot, seq }
  }
  function heard(payload: Uint8Array): void {
    const said = decodeDown(payload)
    if (!said.ok || said.value.kind !== 'answer' || said.value.answer.kind !== 'ack') return
    const { order } = said.value.answer
    const key = order?.bootId === boot ? sent.get(order.seq) : undefined
    if (order === undefined || key === undefined) return
    sent.delete(order.seq)
    orders.delete(key)
    hear.onAcked(key)
  }
  function publish(message: string | Buffer): void {
    // Taken for sent: that the broker has it means nothing, so nobody waits for its word.
    if (client?.connected === true) client.publish(topic, message, { qos: 1 }, () => undefined)
  }
  function send(event: DeviceEvent, order: DeviceOrder): void {
    const message = written({ ...event, order })
    if (random() < faults.drop) return
    if (random() < faults.reorder) setTimeout(() => publish(message), reorderMs * random()).unref()
    else publish(message)
    if (random() < faults.duplicate) publish(message)
  }
  return {
    connect: open,
    resendAfterMs,
    send: (event) => send(event, nextOrder()),
    sendRecord: (key, event) => {
      const order = orders.get(key) ?? nextOrder()
      orders.set(key, order)
      sent.set(order.seq, key)
      send(event, order)
    },
    sendGarbage: () =>
      publish(Buffer.from(Array.from({ length: 1 + Math.floor(random() * 300) }, () => random() * 256))),
    cut: () => client?.stream.destroy(),
    end: () => {
      ended = true
      client?.stream.destroy()
    },
  }
}

function written(event: DeviceEvent): string {
  const message = encodeUp(event)
  if (!message.ok) throw new Error(`${event.kind}: ${message.reason}`)
  return message.value
}
