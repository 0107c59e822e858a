import type { DevicePatch, PortPatch } from '@wattdeck/contract/product/device-live.ts'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { LiveEvent } from '@wattdeck/contract/auth/notification.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type DeviceUpdate, deviceSubject } from '../../src/kit/events/device-watch.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { listen } from '../harness/listen.ts'
import { makePerson, makeFixture, type Fixture } from '../harness/people.ts'
import { until } from '../harness/until.ts'

/** Device updates reach only subscribers with the right to see the device. */
let api: TestApi
let fixture: Fixture
let bus: NatsConnection
const menus = ['4', '4.1', '4.1.1']
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  bus = await connect({ servers: api.config.natsUrl })
})
afterAll(() => bus.close())
afterEach(() => {
  vi.useRealTimers()
})
/** From here on the hubs of the api use a clock that only the test moves. */
const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })

const port = (powerDw: number): PortPatch => ({
  portNo: 1,
  status: 2,
  powerDw,
  voltageDv: null,
  currentMa: null,
  energyWh: null,
  minutes: null,
  temperatureC: null,
  orderNo: null,
  reportedAt: null,
})
const patch = (id: string, csq: number, ports: PortPatch[]): DevicePatch => ({
  id,
  online: true,
  lastSeenAt: '2026-11-15 08:00:00',
  csq,
  temperatureC: null,
  voltageDv: null,
  ports,
})
const say = (id: string, owner: Partial<DeviceUpdate> = {}, csq = 20, ports: PortPatch[] = []) => {
  const devicePatch = patch(id, csq, ports)
  const update: DeviceUpdate = {
    organiseId: fixture.green.id,
    agentId: null,
    siteId: null,
    ...owner,
    patch: devicePatch,
  }
  bus.publish(deviceSubject(api.config.prefix, id), JSON.stringify(update))
}
const open = async (token: string, query: string) => {
  const stream = listen(api.url, token, query)
  expect(await stream.opened).toBe(200)
  await until(async () => stream.events.find((event) => event.kind === 'hello'))
  return stream
}
/** Waits until the api has processed all earlier updates; the throttle does not delay a job event. */
async function processed({ events }: ReturnType<typeof listen>) {
  const jobs = () => events.filter((event) => event.kind === 'job').length
  const before = jobs()
  const job = { id: '7', title: '批量启用', status: 1, total: 10, done: 3, failed: 0 } as const
  publishLive({ kind: 'job', job })
  await until(() => (jobs() > before ? true : undefined))
}
const publishLive = (event: LiveEvent) =>
  bus.publish(`${api.config.prefix}.live.${fixture.green.id}.all`, JSON.stringify(event))
const receivedRows = ({ events }: ReturnType<typeof listen>) =>
  events.flatMap((event) => (event.kind === 'devices' ? event.rows : []))

describe('the live stream of devices', () => {
  it('[attack.M6] shows no device to a person whose rights were revoked, from the next heartbeat on', async () => {
    const [changed, unchanged] = await Promise.all(
      ['stream_changed', 'stream_kept'].map((loginName) =>
        makePerson(api, { organiseId: fixture.green.id, loginName, menus }),
      ),
    )
    if (changed === undefined || unchanged === undefined) throw new Error('no people')
    const [theirs, others] = [await open(changed.token, '?devices=77'), await open(unchanged.token, '?devices=77')]
    say('77', {}, 20, [port(1)])
    for (const stream of [theirs, others]) await until(() => (receivedRows(stream).length === 1 ? true : undefined))
    await api.sql('delete from user_role where user_id = $1', [changed.id])
    await until(() => theirs.events.find((event) => event.kind === 'rights'))
    say('77', {}, 20, [port(2)])
    await until(() => (receivedRows(others).length === 2 ? true : undefined))
    await processed(theirs)
    expect(receivedRows(theirs)).toHaveLength(1)
    expect(theirs.ended()).toBe(false)
    expect(others.events.some((event) => event.kind === 'rights')).toBe(false)
    for (const stream of [theirs, others]) stream.stop()
  })

  it('publishes watched devices to their organisation and its agents, and to no other person', async () => {
    const { green, swift } = fixture
    const own = await makePerson(api, { organiseId: green.id, loginName: 'sees_own', menus })
    const agent = await makePerson(api, {
      organiseId: green.id,
      agentId: green.agentId,
      loginName: 'sees_agent',
      menus,
    })
    const foreign = await makePerson(api, { organiseId: swift.id, loginName: 'sees_foreign', menus })
    const [mine, agents, strangers] = await Promise.all(
      [own, agent, foreign].map(({ token }) => open(token, '?devices=7001,7002,7008,7009')),
    )
    say('7001')
    say('7002', { agentId: green.agentId })
    say('7003')
    // A later row for each stream: any event missing before it was never sent.
    say('7008', { organiseId: swift.id })
    say('7009', { agentId: green.agentId })
    if (!mine || !agents || !strangers) throw new Error('not open')
    const idsOf = (stream: typeof mine) =>
      receivedRows(stream)
        .map(({ id }) => id)
        .toSorted()
    for (const stream of [mine, agents]) await until(() => (idsOf(stream).includes('7009') ? true : undefined))
    await until(() => (idsOf(strangers).includes('7008') ? true : undefined))
    expect(idsOf(mine)).toEqual(['7001', '7002', '7009'])
    expect(idsOf(agents)).toEqual(['7002', '7009'])
    expect(idsOf(strangers)).toEqual(['7008'])
    for (const stream of [mine, agents, strangers]) stream.stop()
  })

  it('publishes a row at once and then at most once a second, the newest last', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'sees_often', menus })
    const stream = await open(person.token, '?devices=7010')
    const powers = () => receivedRows(stream).map((row) => row.ports[0]?.powerDw)
    stopClock()
    say('7010', {}, 20, [port(1)])
    await processed(stream)
    vi.advanceTimersByTime(20)
    await processed(stream)
    expect(powers()).toEqual([1])
    for (let power = 2; power <= 30; power++) say('7010', {}, 20, [port(power)])
    await processed(stream)
    vi.advanceTimersByTime(980)
    await processed(stream)
    expect(powers()).toEqual([1])
    vi.advanceTimersByTime(20)
    await processed(stream)
    expect(powers()).toEqual([1, 30])
    stream.stop()
  })

  it('does not let a heartbeat delay a change', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'sees_news', menus })
    const stream = await open(person.token, '?devices=7020')
    stopClock()
    say('7020')
    await processed(stream)
    vi.advanceTimersByTime(1100)
    for (let csq = 1; csq <= 5; csq++) say('7020', {}, csq)
    await processed(stream)
    vi.advanceTimersByTime(200)
    await processed(stream)
    expect(receivedRows(stream)).toHaveLength(1)
    say('7020', {}, 7, [port(900)])
    await processed(stream)
    vi.advanceTimersByTime(20)
    await processed(stream)
    expect(receivedRows(stream)).toHaveLength(2)
    expect(receivedRows(stream)[1]).toMatchObject({ csq: 7, ports: [{ powerDw: 900 }] })
    stream.stop()
  })

  it('requires the right to see devices, and well-formed ids', async () => {
    const clerk = await makePerson(api, { organiseId: fixture.green.id, loginName: 'sees_none', menus: ['2'] })
    expect(await listen(api.url, clerk.token, '?devices=7001').opened).toBe(403)
    expect(await listen(api.url, clerk.token, '?devices=x').opened).toBe(422)
    expect(
      await listen(api.url, clerk.token, `?devices=${Array.from({ length: 501 }, (_, n) => n + 1).join()}`).opened,
    ).toBe(422)
  })
})

describe('the live stream of lists', () => {
  it('publishes a change at once, and combines the changes of the following second', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'sees_lists', menus })
    const stream = await open(person.token, '')
    const changes = () => stream.events.filter((event) => event.kind === 'changed')
    const change: LiveEvent = { kind: 'changed', list: 'staff' }
    stopClock()
    for (let n = 0; n < 6; n++) publishLive(change)
    await processed(stream)
    expect(changes()).toEqual([change])
    vi.advanceTimersByTime(999)
    await processed(stream)
    expect(changes()).toEqual([change])
    vi.advanceTimersByTime(1)
    await processed(stream)
    expect(changes()).toEqual([change, change])
    vi.advanceTimersByTime(2000)
    await processed(stream)
    expect(changes()).toEqual([change, change])
    stream.stop()
  })
})
