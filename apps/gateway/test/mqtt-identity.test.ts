import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { openDeviceCa } from '../../../tools/ops/device-ca.ts'
import { makeBroker } from './mqtt-broker.ts'

/**
 * Identities at the broker. The tests check delivered messages, because a broker acknowledges more than it delivers.
 */
let broker: Awaited<ReturnType<typeof makeBroker>>
let certificates: ReturnType<typeof broker.ca.issue>
/** The platform's client, which records all received messages. */
let platform: MqttClient
const received: { topic: string; text: string }[] = []
const open: MqttClient[] = []
/** Passed to the client's socket. */
const socketOptions = { noDelay: true }
const numbers = Array.from({ length: 20 }, (_, n) => `M${String(n + 1).padStart(8, '0')}`)

beforeAll(async () => {
  broker = await makeBroker(freePort)
  certificates = broker.ca.issue(numbers)
  platform = await connectAsync(broker.gatewayUrl, {
    ca: broker.ca.platformCa,
    ...broker.ca.gateway,
    ...socketOptions,
    clientId: 'gateway:test:1',
    protocolVersion: 5,
  })
  platform.on('message', (topic, payload) => received.push({ topic, text: payload.toString() }))
  await platform.subscribeAsync('$share/not-to-be-guessed/d/+/up', { qos: 1 })
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.endAsync(true)
  received.length = 0
})
afterAll(async () => {
  await platform.endAsync(true)
  await broker.remove()
})

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
type DeviceConnection = { client: MqttClient; received: string[]; lost: boolean }
/** Connects with the certificate of `no` and arbitrary other claims. */
async function lineOf(no: string, claims: IClientOptions = {}): Promise<DeviceConnection> {
  const mine = { ca: broker.ca.platformCa, ...certificates.get(no), ...socketOptions, clientId: no, username: no }
  const client = await connectAsync(broker.deviceUrl, { ...mine, clean: true, reconnectPeriod: 0, ...claims }, false)
  open.push(client)
  const connection: DeviceConnection = { client, received: [], lost: false }
  client.on('message', (topic, payload) => connection.received.push(`${topic} ${payload.toString()}`))
  client.on('close', () => {
    connection.lost = true
  })
  client.on('error', () => undefined)
  return connection
}
const say = (connection: DeviceConnection, topic: string, text: string) =>
  // A broker may refuse by closing the connection.
  Promise.race([connection.client.publishAsync(topic, text, { qos: 1 }).catch(() => undefined), pause(1000)])
/** The broker acknowledges in order: everything queued for this connection arrives before this acknowledgement. */
const settled = (connection: DeviceConnection, no: string) => say(connection, `d/${no}/up`, 'end')

describe('20 certificates and 20 identities', () => {
  it('only the holder of a certificate publishes, subscribes and connects as its device', async () => {
    const owners = new Map<string, DeviceConnection>()
    const admit = async (no: string) => {
      const connection = await lineOf(no)
      await connection.client.subscribeAsync(`d/${no}/down`, { qos: 1 })
      owners.set(no, connection)
    }
    for (const no of numbers) await admit(no)
    const passed: string[] = []
    for (const own of numbers) {
      // The thief uses the owner's certificate, which ends the owner's connection (MQTT take-over).
      for (const claimed of numbers) {
        const will = { topic: `d/${claimed}/up`, payload: Buffer.from(`${own} will`), qos: 1 as const, retain: false }
        const thief = await lineOf(own, { clientId: claimed, username: claimed, will })
        await thief.client.subscribeAsync([`d/${claimed}/down`, `d/+/down`, '#'], { qos: 1 })
        await say(thief, `d/${claimed}/up`, `${own} says`)
        await platform.publishAsync(`d/${claimed}/down`, `to ${claimed}`, { qos: 1 })
        await settled(thief, own)
        if (thief.received.some((text) => text.endsWith(`to ${claimed}`))) passed.push(`${own} received ${claimed}`)
        thief.client.stream.destroy()
        await pause(5)
      }
      for (const [no, connection] of owners) if (no !== own && connection.lost) passed.push(`${own} threw out ${no}`)
      await admit(own)
    }
    await pause(200)
    for (const { topic, text } of received) if (text !== 'end') passed.push(`${text} as ${topic.split('/')[1] ?? ''}`)
    expect([...new Set(passed)].toSorted()).toEqual(
      numbers.flatMap((no) => [`${no} received ${no}`, `${no} says as ${no}`, `${no} will as ${no}`]).toSorted(),
    )
    // The owners received only their own messages.
    for (const [no, connection] of owners)
      expect(connection.received.every((text) => text === `d/${no}/down to ${no}`)).toBe(true)
  })

  it('a device that guesses shared subscriptions receives nothing', async () => {
    const [honest = '', sly = ''] = numbers
    const thief = await lineOf(sly, { clean: false })
    const groups = ['wattdeck', 'gateway', '+', 'not-to-be-guesse'].map((group) => `$share/${group}/d/+/up`)
    await thief.client.subscribeAsync(['$share/wattdeck/#', ...groups, '$SYS/#'], { qos: 1 }).catch(() => undefined)
    const connection = await lineOf(honest)
    for (let count = 0; count < 50; count++) await say(connection, `d/${honest}/up`, String(count))
    await until(() => Promise.resolve(received.length >= 50 || undefined))
    expect(received.map(({ text }) => Number(text))).toEqual(Array.from({ length: 50 }, (_, count) => count))
    await pause(1200)
    expect(thief.received).toEqual([])
  })
})

describe('connection to the broker', () => {
  const refused = (options: IClientOptions, url = broker.deviceUrl) =>
    connectAsync(url, { ca: broker.ca.platformCa, clientId: 'M00000001', reconnectPeriod: 0, ...options }, false).then(
      (client) => {
        open.push(client)
        return 'let in'
      },
      () => 'refused',
    )

  it('requires a certificate signed by our authority', async () => {
    expect(await refused({})).toBe('refused')
    expect(await refused({ username: 'M00000001', password: 'x' })).toBe('refused')
    const folder = mkdtempSync(join(tmpdir(), 'wattdeck-foreign-'))
    const foreign = openDeviceCa(folder)
    expect(await refused({ ...foreign.issue(['M00000001']).get('M00000001') })).toBe('refused')
    expect(await refused({ ...foreign.gateway }, broker.gatewayUrl)).toBe('refused')
    rmSync(folder, { recursive: true })
    expect(await refused({ ...certificates.get('M00000001') })).toBe('let in')
  })

  it('keeps devices and gateways apart, whatever their names', async () => {
    const named = broker.ca.issue(['gateway']).get('gateway')
    expect(await refused({ ...named }, broker.gatewayUrl)).toBe('refused')
    expect(await refused({ ...broker.ca.gateway })).toBe('refused')
    certificates = broker.ca.issue([...numbers, 'gateway'])
    const connection = await lineOf('gateway')
    await connection.client.subscribeAsync(['d/+/up', '#'], { qos: 1 })
    const [no = ''] = numbers
    await say(connection, `d/${no}/down`, 'forged')
    const victim = await lineOf(no)
    await victim.client.subscribeAsync(`d/${no}/down`, { qos: 1 })
    await say(connection, `d/${no}/down`, 'forged')
    await settled(victim, no)
    await settled(connection, 'gateway')
    expect([...connection.received, ...victim.received]).toEqual([])
  })

  it('closes only the connection that exceeds the packet limit', async () => {
    const [big = '', other = ''] = numbers
    const [connection, neighbour] = [await lineOf(big), await lineOf(other)]
    await say(connection, `d/${big}/up`, 'x'.repeat(4096))
    await until(() => Promise.resolve(received.length === 1 || undefined))
    await say(connection, `d/${big}/up`, 'x'.repeat(5200))
    await until(() => Promise.resolve(connection.lost || undefined))
    await settled(neighbour, other)
    await until(() => Promise.resolve(received.length === 2 || undefined))
    expect(received.map(({ text }) => text.length)).toEqual([4096, 3])
    expect(neighbour.lost).toBe(false)
  })
})
