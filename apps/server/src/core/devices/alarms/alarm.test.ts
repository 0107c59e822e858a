import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { deviceBus, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { alarmKind, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { alarmKind as deviceAlarm } from '@wattdeck/device-protocol/alarm-kind.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { gatewayVoice, heartbeat } from '../../../../test/harness/gateway-voice.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'

/** From what a gateway publishes to the alarm, through the workers that run in production: two of them, who share it. */
let bus: NatsConnection
let voice: ReturnType<typeof gatewayVoice>
const workers: Awaited<ReturnType<typeof startWorkerProcess>>[] = []
const api = await startApi()
const fixture = await makeFixture(api)
const dny = (await makeModels(api)).dny
beforeAll(async () => {
  workers.push(await startWorkerProcess(api.config), await startWorkerProcess(api.config))
  bus = await connect({ servers: api.config.natsUrl })
  voice = gatewayVoice(bus, api.config.prefix)
})
afterAll(async () => {
  await bus.close()
  for (const worker of workers) await worker.stop()
})

type Row = { kind: number; port_no: number; status: number; count: number; healthy: boolean; detail: object }
const alarmsOf = (deviceId: string) =>
  api.sql<Row>(
    'select kind, port_no, status, count, healthy_since is not null as healthy, detail from alarm where device_id = $1 order by id',
    [deviceId],
  )
const only = async (deviceId: string, wanted: (row: Row) => boolean) =>
  until(async () => (await alarmsOf(deviceId)).find((row) => wanted(row)))
const device = () => makeDevice(api, { organiseId: fixture.green.id, typeId: dny, siteId: fixture.green.siteId })
/** The workers have acknowledged each message, so each signal is committed. */
async function consumed() {
  const { consumers } = await jetstreamManager(bus)
  await until(async () => {
    const all = await consumers.list(deviceBus.stream(api.config.prefix)).next()
    return all.every(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0) || undefined
  })
}
/** No message or signal of the device waits for its moment any more; signals that were put off do not count. */
async function judged(deviceId: string) {
  await consumed()
  await until(async () => {
    const [waiting] = await api.sql<{ n: number }>(
      'select count(*)::int as n from alarm_signal where device_id = $1 and due_at <= now()',
      [deviceId],
    )
    return waiting?.n === 0 ? true : undefined
  })
}
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
/** The hold-down of its alarms is over now. */
const holdDownPasses = (deviceId: string) =>
  api.sql('update alarm set close_at = now() where device_id = $1 and close_at is not null', [deviceId])

describe('a port that changes a hundred times in ten minutes', () => {
  it('makes exactly one alarm, which counts its faults and stays open until it has been well for long enough', async () => {
    const id = await device()
    const start = minutesAgo(10)
    const items: UpItem[] = []
    for (let n = 0; n < 100; n++)
      items.push(voice.item(id, heartbeat(n % 2 === 0 ? 'fault' : 'free', 'free'), { atMs: start + n * 5900 }))
    // In ten parts, so that many rounds of the workers see it flap.
    for (let part = 0; part < 10; part++) {
      await voice.publish(items.slice(part * 10, part * 10 + 10))
      await judged(id)
    }
    await only(id, ({ count }) => count === 50)
    await judged(id)
    expect(await alarmsOf(id)).toEqual([
      {
        kind: alarmKind.code.portFault,
        port_no: 1,
        status: alarmStatus.code.open,
        count: 50,
        healthy: true,
        detail: {},
      },
    ])

    // A fault during the hold-down: the same alarm, not healthy any more.
    await voice.publish([voice.item(id, heartbeat('fault', 'free'))])
    await only(id, ({ count, healthy }) => count === 51 && !healthy)
    await voice.publish([voice.item(id, heartbeat('free', 'free'))])
    await only(id, ({ healthy }) => healthy)
    await holdDownPasses(id)
    await only(id, ({ status }) => status === alarmStatus.code.closed)
    expect(await alarmsOf(id)).toHaveLength(1)

    // The next fault after that is another alarm.
    await voice.publish([voice.item(id, heartbeat('fault', 'free'))])
    await until(async () => ((await alarmsOf(id)).length === 2 ? true : undefined))
  })
})

describe('an alarm whose hold-down is over', () => {
  it('is not closed when the port is broken again and its signal has not been judged yet', async () => {
    const id = await device()
    await voice.publish([voice.item(id, heartbeat('fault', 'free'))])
    await only(id, ({ count }) => count === 1)
    await api.sql("update alarm set healthy_since = now() - interval '1 hour', close_at = now() where device_id = $1", [
      id,
    ])
    await only(id, ({ healthy }) => !healthy)
    expect((await alarmsOf(id)).map(({ status }) => status)).toEqual([alarmStatus.code.open])
  })
})

describe('a device that is offline', () => {
  const seenOnline = (id: string) =>
    until(async () =>
      (await api.sql('select from device where id = $1 and online', [id])).length > 0 ? true : undefined,
    )
  /** It must have been online for its going to be news; two workers may take the two messages in any order. */
  async function comeAndGo(): Promise<string> {
    const id = await device()
    const session = voice.item(id, { kind: 'connected', address: '10.0.0.1:1' })
    await voice.publish([session])
    await seenOnline(id)
    await voice.publish([voice.item(id, { kind: 'disconnected', session: session.id, reason: 'closed' })])
    // Judged once, and put off until its minutes are over.
    await until(async () => {
      const text = 'select from alarm_signal where device_id = $1 and sick and due_at > now()'
      return (await api.sql(text, [id])).length > 0 ? true : undefined
    })
    return id
  }

  it('raises an alarm after as many minutes as the rule says, once, and one that is back ends it', async () => {
    const id = await comeAndGo()
    expect(await alarmsOf(id)).toEqual([])

    // Ten minutes later.
    await api.sql("update device_state set online_until = now() - interval '11 minutes' where device_id = $1", [id])
    await api.sql('update alarm_signal set due_at = now() where device_id = $1', [id])
    await only(id, ({ kind, status }) => kind === alarmKind.code.offline && status === alarmStatus.code.open)
    expect(await api.sql('select from alarm_signal where device_id = $1', [id])).toEqual([])

    await voice.publish([voice.item(id, heartbeat('free', 'free'))])
    await only(id, ({ healthy }) => healthy)
    await holdDownPasses(id)
    await only(id, ({ status }) => status === alarmStatus.code.closed)
  })

  it('raises nothing when it came back in time', async () => {
    const id = await comeAndGo()
    await voice.publish([voice.item(id, heartbeat('free', 'free'))])
    await seenOnline(id)
    await api.sql('update alarm_signal set due_at = now() where device_id = $1', [id])
    await judged(id)
    expect(await alarmsOf(id)).toEqual([])
  })
})

describe('smoke', () => {
  it('is told at once, opens a ticket, and ends only by a person', async () => {
    const id = await device()
    const { admin, nobody } = fixture.green
    await voice.publish([
      voice.item(id, heartbeat('free', 'free')),
      voice.item(id, { kind: 'alarm', alarm: deviceAlarm.say('dny', 'smoke') }),
    ])
    await only(id, ({ kind }) => kind === alarmKind.code.smoke)
    const told = (userId: string) =>
      api.sql<{ title: string; body: string }>(
        "select title, body from notification where user_id = $1 and title = '紧急告警'",
        [userId],
      )
    await until(async () => ((await told(admin.id)).length > 0 ? true : undefined))
    expect((await told(admin.id))[0]?.body).toContain('烟感报警 1')
    // Who may not open the alarm centre is told nothing, and neither is another organisation.
    expect(await told(nobody.id)).toEqual([])
    expect(await told(fixture.swift.admin.id)).toEqual([])
    expect(
      await api.sql('select phone from sms_message where template = $1 and phone = any($2)', [
        'SMS_ALARM',
        [admin.phone, nobody.phone, fixture.swift.admin.phone],
      ]),
    ).toEqual([{ phone: admin.phone }])
    expect(
      await api.sql('select source, priority, status, fault from repair_ticket where device_id = $1', [id]),
    ).toEqual([{ source: 1, priority: 1, status: 2, fault: alarmKind.code.smoke }])
    expect(await api.sql('select from alarm where device_id = $1 and close_at is not null', [id])).toEqual([])
  })

  it('that is told twice by a message that came twice is one, also after it was closed', async () => {
    const id = await device()
    const said = voice.item(id, { kind: 'alarm', alarm: deviceAlarm.say('dny', 'smoke') })
    await voice.publish([said])
    await only(id, ({ kind }) => kind === alarmKind.code.smoke)
    await voice.publish([said])
    await judged(id)
    await api.sql("update alarm set status = 3, closed_at = now(), close_reason = '误报' where device_id = $1", [id])
    await voice.publish([said])
    await judged(id)
    expect((await alarmsOf(id)).map(({ status, count }) => [status, count])).toEqual([[alarmStatus.code.closed, 1]])
  })
})

describe('a rule of the organisation', () => {
  it('says how hot is too hot, and whether anything is an alarm at all', async () => {
    const id = await device()
    const hot = (temperatureC: number) => voice.item(id, { ...heartbeat('free', 'free'), temperatureC })
    await api.sql(
      `insert into alarm_rule (organise_id, kind, enabled, threshold, hold_down_min, severity, recovers, opens_ticket, notify_types, sms_types)
       values ($1, 3, true, 90, 10, 2, true, false, '{}', '{}'), ($1, 9, false, null, 10, 3, false, false, '{}', '{}')`,
      [fixture.green.id],
    )
    await voice.publish([hot(80), voice.item(id, { kind: 'alarm', alarm: deviceAlarm.say('dny', 'doorOpen') })])
    await judged(id)
    expect(await alarmsOf(id)).toEqual([])
    await voice.publish([hot(91)])
    const alarm = await only(id, ({ kind }) => kind === alarmKind.code.overTemperature)
    expect(alarm.detail).toEqual({ temperatureC: 91 })
    expect(
      await api.sql('select from alarm_attempt join alarm on alarm.id = alarm_id where device_id = $1', [id]),
    ).toHaveLength(1)
  })
})

describe('short orders', () => {
  it('at one port are an alarm from the fifth within an hour; a record that is sent again counts once', async () => {
    const id = await device()
    const settled = (order: number, port: number) =>
      voice.item(
        id,
        {
          kind: 'settlement',
          port,
          durationS: 40,
          energyWh: 1,
          maxPowerDw: 1,
          stopReason: { name: 'unknown', raw: 0 },
        },
        { r: { key: `${order}:${port}`, at: 1_790_000_000 + order } },
      )
    const four = [1, 2, 3, 4].map((order) => settled(order, 1))
    await voice.publish([...four, settled(4, 1), settled(9, 2)])
    await judged(id)
    expect(await alarmsOf(id)).toEqual([])
    await voice.publish([settled(5, 1)])
    const alarm = await only(id, ({ kind }) => kind === alarmKind.code.shortOrders)
    expect([alarm.port_no, alarm.detail]).toEqual([1, { orders: 5 }])
  })
})
