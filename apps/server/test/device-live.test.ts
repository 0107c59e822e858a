import type { DevicePatch, PortPatch } from '@wattdeck/contract/product/device-live.ts'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeviceNews, deviceSubject } from '../src/kit/device-watch.ts'
import { startApi, type TestApi } from './api.ts'
import { listen } from './listen.ts'
import { makePerson, makeWorld, type World } from './people.ts'
import { until } from './until.ts'

/** What devices say reaches those who look at them and may, and nobody else. */
let api: TestApi
let world: World
let bus: NatsConnection
const menus = ['4', '4.1', '4.1.1']
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
  bus = await connect({ servers: api.config.natsUrl })
})
afterAll(() => bus.close())

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
const say = (id: string, owner: Partial<DeviceNews> = {}, csq = 20, ports: PortPatch[] = []) => {
  const told = patch(id, csq, ports)
  const news: DeviceNews = { organiseId: world.green.id, agentId: null, siteId: null, ...owner, patch: told }
  bus.publish(deviceSubject(api.config.prefix, id), JSON.stringify(news))
}
const open = async (token: string, query: string) => {
  const stream = listen(api.url, token, query)
  expect(await stream.opened).toBe(200)
  await until(async () => stream.events.find((event) => event.kind === 'hello'))
  return stream
}
const heard = ({ events }: ReturnType<typeof listen>) =>
  events.flatMap((event) => (event.kind === 'devices' ? event.rows : []))

describe('the live stream of devices', () => {
  it('tells the watched ones to their organisation and its agents, and to no stranger', async () => {
    const { green, swift } = world
    const own = await makePerson(api, { organiseId: green.id, loginName: 'sees_own', menus })
    const agent = await makePerson(api, {
      organiseId: green.id,
      agentId: green.agentId,
      loginName: 'sees_agent',
      menus,
    })
    const foreign = await makePerson(api, { organiseId: swift.id, loginName: 'sees_foreign', menus })
    const [mine, agents, strangers] = await Promise.all(
      [own, agent, foreign].map(({ token }) => open(token, '?devices=7001,7002')),
    )
    say('7001')
    say('7002', { agentId: green.agentId })
    say('7003')
    if (!mine || !agents || !strangers) throw new Error('not open')
    await until(async () => (heard(mine).length === 2 ? true : undefined))
    await sleep(300)
    expect(
      heard(mine)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['7001', '7002'])
    expect(heard(agents).map(({ id }) => id)).toEqual(['7002'])
    expect(heard(strangers)).toEqual([])
    for (const stream of [mine, agents, strangers]) stream.stop()
  })

  it('tells a row at once and then at most once a second, the newest last', async () => {
    const person = await makePerson(api, { organiseId: world.green.id, loginName: 'sees_often', menus })
    const stream = await open(person.token, '?devices=7010')
    const started = Date.now()
    for (let power = 1; power <= 30; power++) {
      say('7010', {}, 20, [port(power)])
      if (power === 1) await until(async () => heard(stream)[0])
      else await sleep(20)
    }
    await until(async () => heard(stream).find((row) => row.ports[0]?.powerDw === 30))
    const most = 2 + Math.floor((Date.now() - started) / 1000)
    expect(heard(stream).length).toBeLessThanOrEqual(most)
    stream.stop()
  })

  it('lets no sign of life hold up what is news', async () => {
    const person = await makePerson(api, { organiseId: world.green.id, loginName: 'sees_news', menus })
    const stream = await open(person.token, '?devices=7020')
    say('7020')
    await until(async () => heard(stream)[0])
    await sleep(1100)
    for (let csq = 1; csq <= 5; csq++) say('7020', {}, csq)
    await sleep(200)
    expect(heard(stream)).toHaveLength(1)
    say('7020', {}, 7, [port(900)])
    await until(async () => heard(stream)[1], 500)
    expect(heard(stream)[1]).toMatchObject({ csq: 7, ports: [{ powerDw: 900 }] })
    stream.stop()
  })

  it('needs the right to see devices, and ids that are ids', async () => {
    const clerk = await makePerson(api, { organiseId: world.green.id, loginName: 'sees_none', menus: ['2'] })
    expect(await listen(api.url, clerk.token, '?devices=7001').opened).toBe(403)
    expect(await listen(api.url, clerk.token, '?devices=x').opened).toBe(422)
    expect(
      await listen(api.url, clerk.token, `?devices=${Array.from({ length: 501 }, (_, n) => n + 1).join()}`).opened,
    ).toBe(422)
  })
})
