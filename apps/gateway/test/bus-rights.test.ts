import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node'
import { connectBus } from '@wattdeck/bus/bus.ts'
import { deviceBus, type IdentifyReply, type Revocations } from '@wattdeck/contract/events/device-bus.ts'
import { signerSubject } from '@wattdeck/contract/events/signer-bus.ts'
import { deviceCommand } from '@wattdeck/contract/product/device-command.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDeviceCa } from '../../../tools/ops/device-ca.ts'
import { registerFleet } from '../../../tools/demo/fleet-data.ts'
import { startOwnNats } from '../../../tools/dev/local-services.ts'
import { startApi, type TestApi } from '../../server/test/harness/api.ts'
import { listen } from '../../server/test/harness/listen.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../server/test/harness/people.ts'
import { startGatewayProcess, startWorkerProcess } from '../../server/test/harness/process.ts'
import { until } from '../../server/test/harness/until.ts'
import { noFaults } from '../../simulator/src/faults.ts'
import { startFleet } from '../../simulator/src/fleet.ts'
import { realHabits } from '../../simulator/src/habits.ts'

/** A bus with the delivered deploy/nats.conf and TLS: the rights of each process, and no others. */
const users = ['api', 'worker', 'gateway', 'guard'] as const
type User = (typeof users)[number]
const prefix = 'wattdeck'
const passwords = Object.fromEntries(users.map((user) => [user, `p${crypto.randomUUID()}`])) as Record<User, string>
const folder = mkdtempSync(join(tmpdir(), 'wattdeck-bus-'))
const authority = openDeviceCa(folder)
const ca = join(folder, 'platform-ca.pem')

let nats: Awaited<ReturnType<typeof startOwnNats>>
let api: TestApi
let fixture: Fixture
let operator: Actor
let identities: Awaited<ReturnType<typeof registerFleet>>
let deviceId: string
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let gateway: Awaited<ReturnType<typeof startGatewayProcess>>
let fleet: ReturnType<typeof startFleet>
const buses: Partial<Record<User, NatsConnection>> = {}

const urlOf = (user: User) => `nats://${user}:${passwords[user]}@127.0.0.1:${nats.port}`
const envOf = (user: User) => ({ NATS_URL: urlOf(user), NATS_CA: ca })
const busOf = async (user: User) => (buses[user] ??= await connectBus(urlOf(user), { ca }, user))

beforeAll(async () => {
  const tls = ['--tls', '--tlscert', join(folder, 'server.pem'), '--tlskey', join(folder, 'server.key')]
  const env = Object.fromEntries(users.map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, passwords[user]]))
  nats = await startOwnNats(undefined, { args: ['-c', 'deploy/nats.conf', ...tls], env })
  api = await startApi({ prefix, natsUrl: urlOf('api'), natsAccess: { ca } })
  fixture = await makeFixture(api)
  const menus = ['4', '4.1', '4.1.1', '4.1.2']
  operator = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_control', menus })
  const { id: organiseId, siteId } = fixture.green
  identities = await registerFleet(api.database, { organiseId, siteId, dny: 1, mqtt: 0, ports: 10 })
  const [device] = await api.sql<{ id: string }>('select id from device')
  deviceId = device?.id ?? ''
  worker = await startWorkerProcess(api.config, { ...envOf('worker'), ...authority.authorityEnv })
  gateway = await startGatewayProcess(api.config, envOf('gateway'))
  fleet = startFleet({
    identities,
    habits: { ...realHabits, heartbeatMs: 2000, reportMs: 1000, resendMs: 1000, idleMs: 0 },
    faults: noFaults,
    seed: 1,
    dny: { host: '127.0.0.1', ports: [gateway.dnyPort] },
    connectsPerSecond: 1000,
  })
})
afterAll(async () => {
  fleet.stop()
  for (const bus of Object.values(buses)) await bus.close()
  await gateway.stop()
  await worker.stop()
  await nats.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Collects the subjects for which the server denied a publish or subscribe. */
async function refusalsOf(bus: NatsConnection, work: () => void): Promise<string[]> {
  const refused: string[] = []
  const statuses = bus.status()
  void (async () => {
    for await (const status of statuses)
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        refused.push(status.error.subject)
  })()
  work()
  await bus.flush()
  await bus.flush()
  await new Promise((resume) => setImmediate(resume))
  return refused
}
const refusedToPublish = (bus: NatsConnection, subjects: readonly string[]) =>
  refusalsOf(bus, () => {
    for (const subject of subjects) bus.publish(subject, '{}')
  })
const refusedSubscriptions = (bus: NatsConnection, subjects: readonly string[]) =>
  refusalsOf(bus, () => {
    for (const subject of subjects) bus.subscribe(subject, { callback: () => undefined })
  })

/** All relevant subjects, each with its permitted publishers and subscribers. */
const live = [`${prefix}.live.3.all`, `${prefix}.live.3.user.1001`]
const subjects: [string, User[], User[]][] = [
  ...live.map((subject): [string, User[], User[]] => [subject, ['worker'], ['api']]),
  [`${prefix}.device.live.1`, ['worker'], ['api']],
  [deviceBus.up(prefix, 0), ['worker', 'gateway'], []],
  [signerSubject(prefix), ['api'], ['worker']],
  [deviceBus.identify(prefix), ['gateway'], ['worker']],
  [deviceBus.charge(prefix), ['gateway'], ['worker']],
  [deviceBus.tariff(prefix), ['gateway'], ['worker']],
  [deviceBus.swipe(prefix), ['gateway'], ['worker']],
  [deviceBus.revocations(prefix), ['guard'], ['worker']],
  [deviceBus.committed(prefix, 4079), ['worker'], ['gateway']],
  [deviceBus.down(prefix, 4079), ['worker'], ['gateway']],
  [deviceBus.claim(prefix, 4079), ['gateway'], ['gateway']],
  [deviceBus.held(prefix), ['gateway'], ['gateway']],
  [deviceBus.cut(prefix), ['worker'], ['gateway', 'guard']],
  [`${prefix}.clock.ask`, ['gateway'], ['worker']],
  [`${prefix}.clock.tick.worker`, ['worker'], []],
  [`${prefix}.clock.tick.gateway`, ['gateway'], []],
  [`${prefix}.anything.else`, [], []],
  ['$KV.wattdeck_gateways.4079', ['gateway'], []],
  ['$JS.API.STREAM.DELETE.wattdeck_device_up', [], []],
  ['$JS.API.STREAM.PURGE.wattdeck_device_up', [], []],
  ['$JS.API.STREAM.MSG.GET.wattdeck_device_up', [], []],
  ['$JS.API.STREAM.CREATE.mine', [], []],
  ['$JS.API.STREAM.DELETE.KV_wattdeck_gateways', [], []],
  ['$JS.API.DIRECT.GET.KV_wattdeck_gateways', [], []],
  ['$JS.API.CONSUMER.DELETE.wattdeck_device_up.ingest-0', [], []],
  ['$JS.API.CONSUMER.MSG.NEXT.wattdeck_device_up.ingest-0', ['worker'], []],
  ['$SYS.REQ.SERVER.PING', [], []],
  ['_INBOX.x', [], []],
  ['_INBOX_api.x', ['worker'], ['api']],
  ['_INBOX_worker.x', ['gateway'], ['worker']],
  ['_INBOX_gateway.x', ['worker', 'gateway'], ['gateway']],
  ['_INBOX_guard.x', ['worker'], ['guard']],
  ['>', [], []],
]

describe('client without rights', () => {
  it('[attack.H4] is rejected without a credential or with a wrong one', async () => {
    const servers = `127.0.0.1:${nats.port}`
    const tls = { caFile: ca }
    await expect(connect({ servers, tls, reconnect: false })).rejects.toThrow(/authorization/i)
    await expect(connect({ servers, tls, reconnect: false, user: 'worker', pass: '' })).rejects.toThrow(
      /authorization/i,
    )
    await expect(connect({ servers, tls, reconnect: false, user: 'worker', pass: passwords.api })).rejects.toThrow(
      /authorization/i,
    )
  })

  it('[attack.H4] cannot impersonate the server, whose certificate clients verify', async () => {
    const other = join(folder, 'other-ca.pem')
    writeFileSync(other, authority.authority.cert)
    const { user, pass } = { user: 'api', pass: passwords.api }
    await expect(
      connect({ servers: `127.0.0.1:${nats.port}`, reconnect: false, user, pass, tls: { caFile: other } }),
    ).rejects.toThrow(/certificate/i)
  })
})

describe('bus on another machine', () => {
  const mains = ['server/src/main.api.ts', 'server/src/main.worker.ts', 'gateway/src/main.ts']
  it.each([...mains, 'gateway/src/main.broker-guard.ts'])(
    '[attack.H4] requires a credential: %s does not start without one',
    (main) => {
      const path = new URL(`../../${main}`, import.meta.url).pathname
      const env = { ...process.env, NATS_URL: 'nats://bus.example:4222' }
      const { status, stderr } = spawnSync(process.execPath, [path], { env, encoding: 'utf8' })
      expect(status).toBe(1)
      expect(stderr).toContain(
        'NATS_URL names a server that is not on this machine, so this process needs a credential',
      )
    },
  )
})

describe('processes with their own bus users', () => {
  it('[attack.H4] connect a device, publish it to a console and commit its record', async () => {
    await until(async () => (await api.sql('select id from device where online'))[0])
    const console = listen(api.url, operator.token, `?devices=${deviceId}`)
    expect(await console.opened).toBe(200)
    fleet.devices[0]?.plugIn(1, Date.now())
    await until(async () => console.events.find((event) => event.kind === 'devices'))
    fleet.devices[0]?.finish(1, Date.now())
    await until(async () => fleet.devices[0]?.unacked === 0 || undefined)
    expect(await api.sql('select record_key from device_record')).toHaveLength(1)
    await api.sql(
      `insert into outbox (organise_id, subject, payload)
       values ($1, $2, '{"kind":"rights"}')`,
      [fixture.green.id, `live.${fixture.green.id}.user.${operator.id}`],
    )
    await until(async () => console.events.find((event) => event.kind === 'rights'))
    console.stop()
  })

  it('[attack.H4] deliver a command to the device and its result back', async () => {
    const body = { deviceId, operation: 1 as const, whenOffline: 2 as const }
    const { data } = await api.call(operator.token, deviceCommand.operate, { body })
    const row = await until(async () => {
      const reply = await api.call(operator.token, deviceCommand.read, { params: { id: data.commandId } })
      return reply.data.endedAt === null ? undefined : reply.data
    })
    expect(row).toMatchObject({ status: 4, reason: null })
    expect(fleet.devices[0]?.restarts).toBe(1)
  })

  it('[attack.H4] serve identities to a gateway and revoked certificates to a guard', async () => {
    const ask = JSON.stringify({ adapter: 'dny', wireIds: [identities[0]?.wireId, 'nobody'] })
    const identity = await (await busOf('gateway')).request(deviceBus.identify(prefix), ask, { timeout: 5000 })
    expect(identity.json<IdentifyReply>()).toMatchObject([{ deviceId }, null])
    const revocations = await (await busOf('guard')).request(deviceBus.revocations(prefix), '', { timeout: 5000 })
    expect(revocations.json<Revocations>().crl).toContain('BEGIN X509 CRL')
  })

  it('[attack.H4] let the api use the signer without access to its key', async () => {
    expect((await api.deps.signer.request('seal', { plain: 'x' })).sealed).toMatch(/^signer\./)
  })

  it('[attack.H4] compare clocks even when a gateway may not create the clock stream', async () => {
    const metrics = async () => (await fetch(`${gateway.admin}/metrics`)).text()
    await until(async () => /clock_difference_seconds\{to="nats"\}/.test(await metrics()) || undefined)
    expect(await metrics()).toMatch(/clock_difference_seconds\{to="database"\}/)
  })
})

describe('bus user', () => {
  it.each(users)('[attack.H4] %s publishes to the subjects of its process and to no others', async (user) => {
    const bus = await busOf(user)
    const refused = await refusedToPublish(
      bus,
      subjects.filter(([subject]) => subject !== '>').map(([subject]) => subject),
    )
    const allowed = subjects.filter(([subject]) => subject !== '>' && !refused.includes(subject))
    expect(allowed.map(([subject]) => subject)).toEqual(
      subjects.filter(([, publishers]) => publishers.includes(user)).map(([subject]) => subject),
    )
  })

  it.each(users)('[attack.H4] %s subscribes to the subjects of its process and to no others', async (user) => {
    const bus = await connectBus(urlOf(user), { ca }, user)
    const refused = await refusedSubscriptions(
      bus,
      subjects.map(([subject]) => subject),
    )
    await bus.close()
    expect(subjects.filter(([subject]) => !refused.includes(subject)).map(([subject]) => subject)).toEqual(
      subjects.filter(([, , listeners]) => listeners.includes(user)).map(([subject]) => subject),
    )
  })

  it('[attack.H4] cannot reach consoles through replies of a worker or the server', async () => {
    const console = listen(api.url, operator.token)
    expect(await console.opened).toBe(200)
    await until(async () => console.events.find((event) => event.kind === 'hello'))
    const bus = await busOf('gateway')
    const own = `${prefix}.live.${fixture.green.id}.user.${operator.id}`
    bus.publish('$KV.wattdeck_gateways.4078', '{"kind":"revoked"}')
    const received: string[] = []
    ;(await busOf('api')).subscribe(own, { callback: (_, message) => void received.push(message.string()) })
    await (await busOf('api')).flush()
    bus.publish('$JS.API.DIRECT.GET.KV_wattdeck_gateways', '{"last_by_subj":"$KV.wattdeck_gateways.4078"}', {
      reply: own,
    })
    // Workers answer concurrently, so an awaited request follows each request with a forged reply subject.
    const ask = JSON.stringify({ adapter: 'dny', wireIds: [identities[0]?.wireId] })
    for (let round = 0; round < 20; round++) {
      bus.publish(deviceBus.identify(prefix), ask, { reply: own })
      bus.publish(`${prefix}.clock.ask`, '', { reply: own })
      await bus.request(deviceBus.identify(prefix), ask, { timeout: 5000 })
      await bus.request(`${prefix}.clock.ask`, '', { timeout: 5000 })
    }
    await (await busOf('api')).flush()
    expect(received).toEqual([])
    expect(console.events.filter((event) => event.kind === 'revoked')).toEqual([])
    console.stop()
  })

  it('[attack.H4] cannot create a stream as a gateway', async () => {
    const manager = await jetstreamManager(await busOf('gateway'))
    await expect(
      manager.streams.add({
        name: 'mine',
        subjects: ['mine'],
        republish: { src: 'mine', dest: `${prefix}.live.3.all` },
      }),
    ).rejects.toThrow(/Permissions Violation/)
  })
})
