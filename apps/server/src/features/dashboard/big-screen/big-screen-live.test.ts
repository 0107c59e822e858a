import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import type { ScreenEvent } from '@wattdeck/contract/dashboard/big-screen-orders.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { LiveEvent } from '@wattdeck/contract/auth/notification.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { follow } from '../../../../test/harness/listen.ts'
import { chargingOrder, orderMenus } from '../../../../test/fixtures/orders.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
await api.sql(
  `insert into menu (parent_id, menu_key, title, route, kind) select id, '2.18', '数据驾驶舱', '/dashboard/dataCockpit', 2 from menu where menu_key = '2' on conflict do nothing`,
)
const menus = [...orderMenus, '2', '2.18']
const operator = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_screen', menus })
const stranger = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_screen', menus })
const root = await makePerson(api, { organiseId: '1', loginName: 'root_screen', menus })
const worker = await startWorkerProcess(api.config)
afterAll(() => worker.stop())

const streams: (() => void)[] = []
afterAll(() => {
  for (const stop of streams) stop()
})
function watch(token: string, id: string) {
  const url = `${api.url}${bigScreen.heartbeat.path.replace('{id}', id)}`
  const stream = follow(url, token, (event): ScreenEvent => bigScreen.heartbeat.data.parse(event))
  streams.push(stream.stop)
  return stream
}
const kinds = (events: readonly ScreenEvent[]) => events.map((event) => ('what' in event ? event.what : event.kind))

describe('the heartbeat of a screen', () => {
  it('starts with the stream, and continues', async () => {
    const { events, opened } = watch(operator.token, '0')
    expect(await opened).toBe(200)
    await until(() => (kinds(events).filter((kind) => kind === 'beat').length >= 2 ? true : undefined))
    expect(kinds(events)[0]).toBe('beat')
  })

  it('announces the end of a charge once its figures are available, to the screens of its organisation only', async () => {
    const own = watch(operator.token, fixture.green.id)
    const all = watch(root.token, '0')
    const chosen = watch(root.token, fixture.green.id)
    const other = watch(root.token, fixture.swift.id)
    const foreign = watch(stranger.token, '0')
    for (const stream of [own, all, chosen, other, foreign]) expect(await stream.opened).toBe(200)
    const { id } = await chargingOrder(api, operator.token, fixture.green, models)
    // An order that a test inserts publishes nothing.
    for (const { events } of [own, all, chosen]) expect(kinds(events)).not.toContain('order')
    const { status, message } = await api.call(operator.token, unfinishedOrder.settle, {
      body: { id, total: '0.51', reason: '设备离线' },
    })
    expect(message, String(status)).not.toBe('')
    expect(status).toBe(200)
    await until(() => ([own, all, chosen].every(({ events }) => kinds(events).includes('order')) ? true : undefined))
    const { data } = await api.call(operator.token, bigScreen.latestOrders, { body: {} })
    expect(data[0]).toMatchObject({ id, turnover: '0.51', status: 3 })
    expect(data[0]?.memberPhone).toMatch(/^139\*{4}\d{4}$/)
    // A later event of the other organisation reaches its screens; the order did not arrive before it.
    const member: LiveEvent = { kind: 'changed', list: 'member' }
    await api.sql('insert into outbox (organise_id, subject, payload) values ($1, $2, $3)', [
      fixture.swift.id,
      `live.${fixture.swift.id}.all`,
      JSON.stringify(member),
    ])
    for (const { events } of [other, foreign]) {
      await until(() => (kinds(events).includes('member') ? true : undefined))
      expect(kinds(events)).not.toContain('order')
    }
  })

  it('is refused for the screen of another organisation, and without the right to it', async () => {
    expect(await watch(stranger.token, fixture.green.id).opened).toBe(403)
    expect(await watch(fixture.green.withoutRights.token, '0').opened).toBe(403)
    expect(await watch(operator.token, 'x').opened).toBe(422)
  })

  it('stops after the end of its session', async () => {
    const { token, id } = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'green_leaves',
      menus: ['2', '2.18'],
    })
    const { events, opened, ended } = watch(token, '0')
    expect(await opened).toBe(200)
    await api.sql('update session set ended_at = now() where user_id = $1', [id])
    await until(async () => (ended() ? true : undefined))
    expect(events.at(-1)).toEqual({ kind: 'revoked' })
  })
})
