import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { deviceBus, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { alarmKind, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { alarmKind as deviceAlarm } from '@wattdeck/device-protocol/alarm-kind.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { gatewayPublisher, heartbeat } from '../../../../test/harness/gateway-voice.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'

/** From the messages of a gateway to the alarm, with two production workers. */
let bus: NatsConnection
let voice: ReturnType<typeof gatewayPublisher>
const workers: Awaited<ReturnType<typeof startWorkerProcess>>[] = []
const api = await startApi()
const fixture = await makeFixture(api)
const dny = (await makeModels(api)).dny
beforeAll(async () => {
  workers.push(await startWorkerProcess(api.config), await startWorkerProcess(api.config))
  bus = await connect({ servers: api.config.natsUrl })
  voice = gatewayPublisher(bus, api.config.prefix)
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
const only = async (deviceId: string, matches: (row: Row) => boolean) =>
  until(async () => (await alarmsOf(deviceId)).find((row) => matches(row)))
const device = () => makeDevice(api, { organiseId: fixture.green.id, typeId: dny, siteId: fixture.green.siteId })
/** Waits until the workers have acknowledged each message, so that each signal is committed. */
async function consumed() {
  const { consumers } = await jetstreamManager(bus)
  await until(async () => {
    const all = await consumers.list(deviceBus.stream(api.config.prefix)).next()
    return all.every(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0) || undefined
  })
}
/** Waits until no message and no due signal of the device remains; postponed signals do not count. */
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
/** Ends the hold-down of the device's alarms now. */
const holdDownPasses = (deviceId: string) =>
  api.sql('update alarm set close_at = now() where device_id = $1 and close_at is not null', [deviceId])

describe('a port that changes a hundred times in ten minutes', () => {
  it('raises exactly one alarm, which counts the faults and stays open until the hold-down is over', async () => {
    const id = await device()
    const start = minutesAgo(10)
    const items: UpItem[] = []
    for (let n = 0; n < 100; n++)
      items.push(voice.item(id, heartbeat(n % 2 === 0 ? 'fault' : 'free', 'free'), { atMs: start + n * 5900 }))
    // In ten parts, so that many worker rounds process the flapping.
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

    // A fault during the hold-down makes the same alarm unhealthy again.
    await voice.publish([voice.item(id, heartbeat('fault', 'free'))])
    await only(id, ({ count, healthy }) => count === 51 && !healthy)
    await voice.publish([voice.item(id, heartbeat('free', 'free'))])
    await only(id, ({ healthy }) => healthy)
    await holdDownPasses(id)
    await only(id, ({ status }) => status === alarmStatus.code.closed)
    expect(await alarmsOf(id)).toHaveLength(1)

    // The next fault after the closing raises another alarm.
    await voice.publish([voice.item(id, heartbeat('fault', 'free'))])
    await until(async () => ((await alarmsOf(id)).length === 2 ? true : undefined))
  })
})

describe('an alarm whose hold-down is over', () => {
  it('is not closed when the port is at fault again and its signal was not judged yet', async () => {
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
  const waitUntilOnline = (id: string) =>
    until(async () =>
      (await api.sql('select from device where id = $1 and online', [id])).length > 0 ? true : undefined,
    )
  /** Waits for online first: only then is offline a change, and two workers may process two messages in any order. */
  async function comeAndGo(): Promise<string> {
    const id = await device()
    const session = voice.item(id, { kind: 'connected', address: '10.0.0.1:1' })
    await voice.publish([session])
    await waitUntilOnline(id)
    await voice.publish([voice.item(id, { kind: 'disconnected', session: session.id, reason: 'closed' })])
    // Judged once and postponed until the threshold.
    await until(async () => {
      const text = 'select from alarm_signal where device_id = $1 and sick and due_at > now()'
      return (await api.sql(text, [id])).length > 0 ? true : undefined
    })
    return id
  }

  it('raises one alarm after the minutes of the rule, and ends it by coming back', async () => {
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

  it('raises no alarm when it is back in time', async () => {
    const id = await comeAndGo()
    await voice.publish([voice.item(id, heartbeat('free', 'free'))])
    await waitUntilOnline(id)
    await api.sql('update alarm_signal set due_at = now() where device_id = $1', [id])
    await judged(id)
    expect(await alarmsOf(id)).toEqual([])
  })
})

describe('smoke', () => {
  it('is notified at once, opens a ticket, and is closed only by staff', async () => {
    const id = await device()
    const { admin, withoutRights: nobody } = fixture.green
    await voice.publish([
      voice.item(id, heartbeat('free', 'free')),
      voice.item(id, { kind: 'alarm', alarm: deviceAlarm.say('dny', 'smoke') }),
    ])
    await only(id, ({ kind }) => kind === alarmKind.code.smoke)
    const noticesOf = (userId: string) =>
      api.sql<{ title: string; body: string }>(
        "select title, body from notification where user_id = $1 and title = '紧急告警'",
        [userId],
      )
    await until(async () => ((await noticesOf(admin.id)).length > 0 ? true : undefined))
    expect((await noticesOf(admin.id))[0]?.body).toContain('烟感报警 1')
    // Users without access to the alarm centre and other organisations get no notification.
    expect(await noticesOf(nobody.id)).toEqual([])
    expect(await noticesOf(fixture.swift.admin.id)).toEqual([])
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

  it('in a message that arrives twice is one alarm, also after it was closed', async () => {
    const id = await device()
    const message = voice.item(id, { kind: 'alarm', alarm: deviceAlarm.say('dny', 'smoke') })
    await voice.publish([message])
    await only(id, ({ kind }) => kind === alarmKind.code.smoke)
    await voice.publish([message])
    await judged(id)
    await api.sql("update alarm set status = 3, closed_at = now(), close_reason = '误报' where device_id = $1", [id])
    await voice.publish([message])
    await judged(id)
    expect((await alarmsOf(id)).map(({ status, count }) => [status, count])).toEqual([[alarmStatus.code.closed, 1]])
  })
})

describe('a rule of the organisation', () => {
  it('sets the temperature threshold and can disable a kind of alarm', async () => {
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
  it('at one port raise an alarm from the fifth within an hour; a repeated record counts once', async () => {
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
