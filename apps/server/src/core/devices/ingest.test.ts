import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import {
  deviceBus,
  type Envelope,
  messageEpochMs,
  partitionOf,
  type UpItem,
} from '@wattdeck/contract/events/device-bus.ts'
import { deadLetter } from '@wattdeck/contract/product/dead-letter.ts'
import { commandStatus } from '@wattdeck/contract/product/device-command.ts'
import { pushState } from '@wattdeck/contract/product/tariff-push.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { superuserUrl } from '../../../../../tools/ops/database.ts'
import { startApi } from '../../../test/harness/api.ts'
import { makeCredential } from '../../../test/fixtures/credentials.ts'
import { makeDevice, makeModels } from '../../../test/fixtures/devices.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../test/harness/process.ts'
import { makeTariff } from '../../../test/fixtures/tariffs.ts'
import { hangMs, until } from '../../../test/harness/until.ts'

/** Messages of gateways become rows once, the newest wins, and invalid messages are not lost. */
let bus: NatsConnection
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let id: string
const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  const models = await makeModels(api)
  id = await makeDevice(api, { organiseId: fixture.green.id, typeId: models.dny })
  worker = await startWorkerProcess(api.config)
  bus = await connect({ servers: api.config.natsUrl })
})
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

let counter = 0
const number = () => String((BigInt(Date.now() - messageEpochMs) << 22n) | BigInt(++counter % 1024))
const item = (d: string, e: object, more: Partial<UpItem> = {}): UpItem => {
  const own = number()
  return { id: own, d, o: own, e: e as UpItem['e'], ...more }
}
const publish = async (items: UpItem[], msgID: string = crypto.randomUUID()) => {
  const envelope: Envelope = { gateway: 9, items }
  const subject = deviceBus.up(api.config.prefix, partitionOf(items[0]?.d ?? '0'))
  await jetstream(bus).publish(subject, JSON.stringify(envelope), { msgID })
}
const heartbeat = (first: 'free' | 'working') => ({
  kind: 'heartbeat',
  ports: [plugStatus.say('dny', first), plugStatus.say('dny', 'free')],
})
const messages = (ids: string[]) =>
  api.sql<{ id: string; content: object }>('select id, content from device_message where id = any($1::bigint[])', [ids])

describe('a message', () => {
  it('that arrives twice is stored once and takes effect once', async () => {
    const settled = item(
      id,
      { kind: 'settlement', port: 1, orderNo: '77' },
      { r: { key: '77:1:5', at: 1_790_000_000 }, f: 'RE5Z' },
    )
    const beat = item(id, heartbeat('working'))
    for (let times = 0; times < 3; times++) await publish([beat, settled])
    await publish([{ ...settled, id: number() }])
    await until(async () => ((await messages([beat.id, settled.id])).length === 2 ? true : undefined))
    await until(async () => {
      const [row] = await api.sql<{ count: number }>(
        "select count(*)::int from device_message where device_id = $1 and kind = 'settlement'",
        [id],
      )
      return row?.count === 2 ? true : undefined
    })
    expect(
      await api.sql(
        'select record_key, encode(frame, $2) as frame from device_record join device_message m on m.id = message_id where device_record.device_id = $1',
        [id, 'escape'],
      ),
    ).toEqual([{ record_key: '77:1:5', frame: 'DNY' }])
    expect(await api.sql('select kind from device_event where device_id = $1 order by at, part', [id])).toEqual([
      { kind: 'online' },
      { kind: 'portStatus' },
    ])
    expect(await api.sql('select online, working_ports, free_ports from device where id = $1', [id])).toEqual([
      { online: true, working_ports: 1, free_ports: 1 },
    ])
    // Changes by devices have no actor, so the audit log has no line.
    expect(await api.sql('select * from audit_pending')).toEqual([])
  })

  it('that arrives while its device is being marked offline makes it online again', async () => {
    const isOnline = () =>
      until(async () => {
        const [row] = await api.sql<{ online: boolean }>('select online from device where id = $1', [id])
        return row?.online === true ? true : undefined
      })
    await publish([item(id, heartbeat('working'))])
    await isOnline()
    const silent = new pg.Client({ connectionString: superuserUrl(api.database) })
    await silent.connect()
    await silent.query('begin')
    await silent.query('update device_state set check_at = null where device_id = $1', [id])
    await silent.query('update device set online = false where id = $1', [id])
    await publish([item(id, heartbeat('working'))])
    await until(async () => {
      const [row] = await api.sql("select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'", [
        api.database,
      ])
      return row === undefined ? undefined : true
    })
    await silent.query('commit')
    await silent.end()
    expect(await isOnline()).toBe(true)
  })

  it('that is invalid becomes a dead letter, and its neighbours are stored', async () => {
    const good = [item(id, heartbeat('free')), item(id, heartbeat('working'))]
    const bad = item(id, { kind: 'swipe', port: 70_000 })
    const stranger = item('999999999', heartbeat('free'))
    await publish([good[0], bad, good[1]].filter((one) => one !== undefined))
    await publish([stranger])
    const letters = () => api.call(fixture.platform.root.token, deadLetter.list, { query: { status: 1 } })
    const rows = await until(async () => {
      const { data } = await letters()
      return data.rows.length === 2 ? data.rows : undefined
    })
    expect(new Map(rows.map((row) => [row.id, row.reason]))).toEqual(
      new Map([
        [bad.id, expect.stringContaining('out of range')],
        [stranger.id, expect.stringContaining('not known')],
      ]),
    )
    await until(async () => ((await messages(good.map((one) => one.id))).length === 2 ? true : undefined))
    const changed = await api.call(fixture.platform.root.token, deadLetter.replay, { body: { ids: [bad.id] } })
    expect(changed.data).toEqual({ changed: 1 })
    // Still invalid: it becomes a dead letter again, with the reason.
    await until(async () => (await letters()).data.rows.find((row) => row.id === bad.id && row.handledBy !== null))
  })
})

describe('an unreadable bus message', () => {
  const metric = async (name: string) => {
    const text = await (await fetch(`${worker.admin}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  }

  it.each([
    ['no JSON', '{"gateway":9,"items":['],
    ['no envelope', '{"hello":1}'],
    ['an item without an event', JSON.stringify({ gateway: 9, items: [{ id: '1', d: '1', o: '1' }] })],
    [
      'an item whose number is none',
      JSON.stringify({ gateway: 9, items: [{ id: 'x', d: '1', o: '1', e: { kind: 'a' } }] }),
    ],
  ])('(%s) is counted, not redelivered and blocks no other', async (_, text) => {
    const before = await metric('device_malformed_total')
    await jetstream(bus).publish(deviceBus.up(api.config.prefix, partitionOf(id)), text)
    const beat = item(id, heartbeat('free'))
    await publish([beat])
    await until(async () => ((await messages([beat.id])).length === 1 ? true : undefined))
    const { consumers } = await jetstreamManager(bus)
    await until(async () => {
      const info = await consumers.info(deviceBus.stream(api.config.prefix), deviceBus.consumer(partitionOf(id)))
      return info.num_ack_pending + info.num_pending + info.num_redelivered === 0 ? true : undefined
    })
    expect(await metric('device_malformed_total')).toBe(before + 1)
  })

  it('of a card gets no answer, and the worker answers the next one', async () => {
    bus.publish(deviceBus.swipe(api.config.prefix), 'no JSON')
    const ask = { id: number(), deviceId: id, key: 'card:1', swipe: { kind: 'swipe', card: '0a0b0c0d', port: 1 } }
    const answer = await bus.request(deviceBus.swipe(api.config.prefix), JSON.stringify(ask), { timeout: hangMs })
    expect(answer.json()).toMatchObject({ orderNo: null })
    expect(worker.child.exitCode).toBe(null)
  })

  it('and a dead letter are not counted as committed', async () => {
    const [before, buried] = [await metric('device_messages_total'), await metric('device_dead_letters_total')]
    // A heartbeat without ports, a port number out of range, and an unknown device.
    const bad = [
      item(id, { kind: 'heartbeat' }),
      item(id, { kind: 'swipe', port: 70_000 }),
      item('999999999', heartbeat('free')),
    ]
    const good = [item(id, heartbeat('free')), item(id, heartbeat('working'))]
    for (const one of bad) await publish([one])
    await publish(good)
    await until(async () => ((await messages(good.map((one) => one.id))).length === 2 ? true : undefined))
    await until(async () => ((await metric('device_dead_letters_total')) === buried + bad.length ? true : undefined))
    await until(async () => ((await metric('device_messages_total')) >= before + good.length ? true : undefined))
    expect(await metric('device_messages_total')).toBe(before + good.length)
  })
})

describe('an installation with an incomplete schema', () => {
  const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')
  const isReady = async () => ((await (await fetch(`${worker.admin}/ready`)).json()) as { ingest: boolean }).ingest
  const detach = async () => {
    const child = `device_message_${today()}`
    const [row] = await api.sql<{ bound: string }>(
      'select pg_get_expr(relpartbound, oid) as bound from pg_class where relname = $1',
      [child],
    )
    await api.sql(`alter table device_message detach partition ${child}`)
    return () => api.sql(`alter table device_message attach partition ${child} ${row?.bound}`)
  }
  const renameColumn = async () => {
    await api.sql('alter table device_message rename column content to content_away')
    return () => api.sql('alter table device_message rename column content_away to content')
  }

  it.each([
    ['partition', detach],
    ['column', renameColumn],
  ])(
    'keeps messages in the stream while a %s is missing: none is a dead letter, and readiness reports it',
    async (_, breakIt) => {
      const letters = () => api.sql('select id from device_dead_letter')
      const before = await letters()
      const mend = await breakIt()
      const beat = item(id, heartbeat('working'))
      await publish([beat])
      await until(async () => ((await isReady()) ? undefined : true))
      expect(await letters()).toEqual(before)
      await mend()
      await until(async () => ((await messages([beat.id])).length === 1 ? true : undefined))
      await until(async () => ((await isReady()) ? true : undefined))
      expect(await letters()).toEqual(before)
    },
  )
})

describe('a pile that counts money', () => {
  it('keeps its confirmation after an earlier price request, and gets a new push after a later one', async () => {
    const { dny: typeId } = await makeModels(api)
    const pile = await makeDevice(api, { organiseId: fixture.green.id, typeId })
    await api.sql("update device set adapter = 'ykc' where id = $1", [pile])
    await makeTariff(api, { organiseId: fixture.green.id, deviceIds: [pile] })
    const pushed = async () => {
      const [row] = await api.sql<{ state: number; modelNo: number; commandId: string | null; status: number | null }>(
        `select push.state, model_no as "modelNo", command_id as "commandId", c.status from tariff_push push
         left join device_command c on c.id = command_id where push.device_id = $1`,
        [pile],
      )
      return row
    }
    /** Waits for the parked push of the offline pile and marks it as just sent, independent of the machine's speed. */
    const nextPush = async (but?: string) => {
      const row = await until(async () => {
        const seen = await pushed()
        return seen?.status === commandStatus.code.parked && seen.commandId !== but ? seen : undefined
      })
      await api.sql(
        "update device_command set status = $2, counter = 1, sent_at = now(), answer_by = now() + interval '1 min' where id = $1",
        [row.commandId, commandStatus.code.sent],
      )
      await api.sql("update tariff_push set updated_at = now() + interval '1 min' where device_id = $1", [pile])
      return row.commandId ?? ''
    }
    const asks = () => item(pile, { kind: 'tariffAsked', modelNo: 7000 })
    const confirms = (commandId: string) => item(pile, { kind: 'commandResult', commandId, ok: true })
    const first = await nextPush()
    const confirmed = confirms(first)
    await publish([asks(), confirmed])
    await until(async () => ((await messages([confirmed.id])).length === 1 ? true : undefined))
    expect(await pushed()).toMatchObject({ state: pushState.code.confirmed, modelNo: 1, commandId: first })

    await publish([asks()])
    const second = await nextPush(first)
    const request = asks()
    await publish([confirms(second), request])
    await until(async () => ((await messages([request.id])).length === 1 ? true : undefined))
    await until(async () => ((await pushed())?.state === pushState.code.sent ? true : undefined))
    expect((await pushed())?.commandId).not.toBe(second)
  })
})

describe('a barred device', () => {
  it('is not identified, and its messages are not stored', async () => {
    const models = await makeModels(api)
    const [good, barred] = ['BARRED01', 'BARRED02']
    const make = (deviceNo: string) => makeDevice(api, { organiseId: fixture.green.id, typeId: models.mqtt, deviceNo })
    const ids = [await make(good), await make(barred)]
    await api.sql('update device_credential set state = 2, revoked_at = now() where id = $1', [
      await makeCredential(api, ids[1] ?? ''),
    ])
    const ask = { adapter: 'mqtt-json', wireIds: [good, barred] }
    const answer = await bus.request(deviceBus.identify(api.config.prefix), JSON.stringify(ask), { timeout: hangMs })
    expect(answer.json()).toMatchObject([{ deviceId: ids[0] }, null])
    const [accepted, refused] = ids.map((one) => item(one, heartbeat('free')))
    for (const one of [refused, accepted]) if (one !== undefined) await publish([one])
    await until(async () => ((await messages([accepted?.id ?? ''])).length === 1 ? true : undefined))
    expect(await messages([refused?.id ?? ''])).toEqual([])
  })
})
