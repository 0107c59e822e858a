import { connectAsync } from 'mqtt'
import { pino } from 'pino'
import { register } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { readFileSync } from 'node:fs'
import { freePort } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { Downlink } from '../src/downlink.ts'
import type { ConnectionClaims } from '../src/connection-claims.ts'
import { startMqttClient } from '../src/mqtt-client.ts'
import type { Registry } from '../src/registry.ts'
import { MessageIntake } from '../src/message-intake.ts'
import type { Uplink } from '../src/uplink.ts'
import { makeBroker } from './mqtt-broker.ts'

/** A gateway on a real broker, whose stream accepts messages only when the test opens it. */
let broker: Awaited<ReturnType<typeof makeBroker>>
const accepted: UpItem[] = []
let open = () => {}
const opened = new Promise<void>((resolve) => {
  open = resolve
})
const uplink = { send: (item: UpItem) => accepted.push(item) > 0, waitForCapacity: () => opened } as unknown as Uplink
const identity = { deviceId: '1', deviceNo: 'M00000001', portCount: 10 }
const registry = { find: () => Promise.resolve(identity) } as unknown as Registry
let number = 0
let gateway: ReturnType<typeof startMqttClient>

beforeAll(async () => {
  broker = await makeBroker(freePort)
  const nextNumber = () => String(++number)
  const intake = new MessageIntake({
    uplink,
    downlink: new Downlink(() => undefined),
    registry,
    claims: { release: () => undefined } as unknown as ConnectionClaims,
    nextNumber,
    log: pino({ level: 'silent' }),
    answerEarly: false,
  })
  const { MQTT_URL, MQTT_CA, MQTT_CERT, MQTT_KEY } = broker.ca.gatewayEnv(broker.gatewayPort)
  const [ca, cert, key] = [readFileSync(MQTT_CA), readFileSync(MQTT_CERT), readFileSync(MQTT_KEY)]
  gateway = startMqttClient(intake, { url: MQTT_URL, ca, cert, key, prefix: 'test', number: 1 })
})
afterAll(async () => {
  await gateway.end()
  await broker.remove()
})
const gauge = async (name: string) => (await register.getSingleMetric(name)?.get())?.values[0]?.value ?? 0

describe('gateway that cannot publish to the stream', () => {
  it('stops at its high-water mark, while the broker queues the rest and nothing is lost', async () => {
    await until(async () => (await gauge('gateway_mqtt_connected')) === 1 || undefined)
    const device = await connectAsync(broker.deviceUrl, {
      ca: broker.ca.platformCa,
      ...broker.ca.issue(['M00000001']).get('M00000001'),
      clientId: 'M00000001',
    })
    const count = 6000
    const publishes = Array.from({ length: count }, (_, n) =>
      device.publishAsync('d/M00000001/up', `{"v":1,"k":"hb","boot":1,"seq":${n + 1},"p":[1]}`, { qos: 1 }),
    )
    await Promise.all(publishes)
    await until(async () => (await gauge('gateway_mqtt_in_hand')) === 2000 || undefined)
    await new Promise((resume) => setTimeout(resume, 500))
    expect(await gauge('gateway_mqtt_in_hand')).toBe(2000)
    expect(accepted).toEqual([])
    open()
    await until(() => Promise.resolve(accepted.length >= count || undefined))
    expect(new Set(accepted.map(({ seq }) => seq)).size).toBe(count)
    expect(await gauge('gateway_broker_dropped')).toBe(0)
    await device.endAsync()
  })
})
