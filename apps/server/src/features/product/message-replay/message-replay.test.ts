import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { countedOrder, type UpItem } from '@wattdeck/contract/events/device-bus.ts'
import { messageReplay, replayStatus } from '@wattdeck/contract/product/message-replay.ts'
import { organise } from '@wattdeck/contract/system/organise.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { gatewayPublisher, heartbeat } from '../../../../test/harness/gateway-voice.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'

/** A charge that was recorded on one device is replayed on a device of a test tenant. */
let bus: NatsConnection
let voice: ReturnType<typeof gatewayPublisher>
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
let source: string
let lab: string
let recorded: UpItem[]
const card = '1A2B3C4D'
const menus = ['4', '4.1', '4.1.1']

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
beforeAll(async () => {
  worker = await startWorkerProcess(api.config)
  bus = await connect({ servers: api.config.natsUrl })
  voice = gatewayPublisher(bus, api.config.prefix)
  const [organisation] = await api.sql<{ id: string }>(
    "insert into organise (name, test) values ('测试机构', true) returning id",
  )
  lab = organisation?.id ?? ''
  source = await makeDevice(api, { organiseId: fixture.green.id, typeId: models.dny })
  recorded = await recordCharge(source)
})
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

const report = (durationS: number, energyWh: number) => ({
  kind: 'portReport',
  port: 1,
  status: plugStatus.say('dny', 'working'),
  powerDw: 5000,
  durationS,
  energyWh,
  orderNo: '77',
})

/** Twenty minutes of a charge, recorded in twenty seconds, with a settlement that the device sends again. */
async function recordCharge(device: string): Promise<UpItem[]> {
  const start = Date.now() - 21_000
  const at = (seconds: number) => ({ atMs: start + seconds * 1000 })
  const settled = {
    kind: 'settlement',
    port: 1,
    durationS: 1200,
    energyWh: 170,
    card,
    orderNo: '77',
    stopReason: { name: 'full', raw: 1 },
  }
  const r = { key: `${card}:77:1`, at: 1_790_000_000 }
  const connected = voice.item(device, { kind: 'connected', address: '10.0.0.8:4001' }, at(0))
  const items = [
    connected,
    voice.item(device, { kind: 'register', firmware: '1.26', portCount: 2, imei: '861234567890123' }, at(1)),
    voice.item(device, heartbeat('free', 'free'), at(2)),
    voice.item(device, { kind: 'swipe', port: 1, card }, { ...at(3), r: { key: `${card}:1:3`, at: 1_789_999_000 } }),
    voice.item(device, { kind: 'command', commandId: '5', command: { kind: 'startPort', port: 1 } }, at(4)),
    voice.item(device, { kind: 'commandResult', commandId: '5', ok: true, carriedOut: true, port: 1 }, at(4)),
    voice.item(device, heartbeat('working', 'free'), at(5)),
    ...[6, 7, 8, 9, 10].map((second) => voice.item(device, report((second - 5) * 240, second * 17), at(second))),
    voice.item(device, settled, { ...at(11), r, f: 'RE5Z' }),
    voice.item(device, settled, { ...at(12), r, f: 'RE5Z' }),
    voice.item(device, heartbeat('free', 'fault'), at(13)),
    voice.item(device, { kind: 'disconnected', session: connected.id, reason: 'closed' }, at(14)),
  ]
  await voice.publish(items)
  await until(async () => {
    const [row] = await api.sql<{ n: number }>('select count(*)::int as n from device_message where device_id = $1', [
      device,
    ])
    return row?.n === items.length ? true : undefined
  })
  return items
}

const shown = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const range = () => ({ beginAt: shown(Date.now() - 3_600_000), endAt: shown(Date.now() + 60_000) })
const makeTarget = () => makeDevice(api, { organiseId: lab, typeId: models.dny })
const start = (who: Actor, targetDeviceId: string, more: object = {}) =>
  api.call(who.token, messageReplay.start, {
    body: { deviceId: source, targetDeviceId, ...range(), speed: 0, ...more },
  })
const read = async (id: string) =>
  (await api.call(fixture.platform.root.token, messageReplay.read, { params: { id } })).data
const ended = (id: string) =>
  until(async () => {
    const replay = await read(id)
    return replay.status > replayStatus.code.running ? replay : undefined
  })
const ups = () => recorded.filter(({ e }) => e.kind !== 'command')

/** The stored state of a device, without ids and times. */
const readState = async (device: string) => ({
  events: await api.sql(
    "select kind, port_no, detail - 'address' as detail from device_event where device_id = $1 and detail ->> 'reason' is distinct from 'silence' order by id, part",
    [device],
  ),
  records: await api.sql(
    "select kind, port_no, recorded_at, content - 'card' as content from device_record where device_id = $1 order by message_id",
    [device],
  ),
  ports: await api.sql(
    'select port_no, status, order_no, power_dw, energy_wh, minutes from port where device_id = $1 order by port_no',
    [device],
  ),
  device: await api.sql(
    'select online, free_ports, working_ports, fault_ports, software_version from device where id = $1',
    [device],
  ),
})
/** Every row of a device, with all columns. */
const whole = async (device: string) =>
  Promise.all(
    ['device_message', 'device_event', 'device_record', 'device_state', 'port', 'device_command'].map((table) =>
      api.sql(`select t::text from ${table} t where device_id = $1 order by 1`, [device]),
    ),
  )

describe('the right to replay', () => {
  it('requires that the user sees both devices', async () => {
    const target = await makeTarget()
    const owner = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_replayer', menus })
    const stranger = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'swift_replayer', menus })
    expect((await start(owner, target)).status).toBe(404)
    expect((await start(stranger, target)).status).toBe(404)
    expect((await api.call(stranger.token, messageReplay.targets, { query: { deviceId: source } })).status).toBe(404)
    expect((await api.call(owner.token, messageReplay.targets, { query: { deviceId: source } })).data).toEqual([])
    const { data } = await start(fixture.platform.root, target)
    await ended(data.id)
    for (const { token } of [owner, stranger]) {
      expect((await api.call(token, messageReplay.read, { params: { id: data.id } })).status).toBe(404)
      expect((await api.call(token, messageReplay.compare, { params: { id: data.id } })).status).toBe(404)
      expect((await api.call(token, messageReplay.cancel, { body: { id: data.id } })).status).toBe(404)
    }
    expect((await api.call(owner.token, messageReplay.list, { params: { deviceId: source } })).data.rows).toEqual([])
    const viewer = await makePerson(api, { organiseId: '1', loginName: 'platform_viewer', menus, actions: false })
    expect((await start(viewer, target)).status).toBe(403)
  })
})

describe('a device of a customer', () => {
  it('is refused as a target by the server and by the database', async () => {
    const customers = await makeDevice(api, { organiseId: fixture.swift.id, typeId: models.dny })
    expect(await start(fixture.platform.root, customers)).toMatchObject({
      status: 409,
      message: '目标设备不属于测试机构，不能接收重放',
    })
    const insert = (test: boolean) =>
      api.sql(
        `insert into message_replay (organise_id, device_id, target_device_id, target_organise_id, target_test, first_id, end_id, speed, total, created_by)
         values ($1, $2, $3, $4, $5, 1, 2, 0, 1, 'x')`,
        [fixture.green.id, source, customers, fixture.swift.id, test],
      )
    await expect(insert(true)).rejects.toThrow(/foreign key/)
    await expect(insert(false)).rejects.toThrow(/check constraint/)
    expect(await api.sql('select id from device_message where device_id = $1', [customers])).toEqual([])
  })

  it('cannot become one: an organisation is a test tenant from the start, and a target keeps its organisation', async () => {
    await expect(api.sql('update organise set test = true where id = $1', [fixture.swift.id])).rejects.toThrow(
      /never changes/,
    )
    await expect(api.sql('update organise set test = false where id = $1', [lab])).rejects.toThrow(/never changes/)
    await expect(api.sql("insert into organise (id, name, test) values (1, 'x', true)")).rejects.toThrow(
      /organise_platform_is_real/,
    )
    const target = await makeTarget()
    await ended((await start(fixture.platform.root, target)).data.id)
    await expect(
      api.sql('update device set organise_id = $2 where id = $1', [target, fixture.swift.id]),
    ).rejects.toThrow(/foreign key/)
  })

  it('is created in a test tenant, which only the platform creates', async () => {
    const body = { name: '重放实验室', type: 1, test: true, adminName: '李工', adminLoginName: 'lab_admin' }
    const more = { adminPhone: '13700001234', canUnmask: false }
    const { data } = await api.call(fixture.platform.root.token, organise.add, { body: { ...body, ...more } as never })
    expect(await api.sql('select test from organise where id = $1', [data.id])).toEqual([{ test: true }])
    const refused = await api.call(fixture.green.admin.token, organise.add, {
      body: { ...body, ...more, name: '另一家' } as never,
    })
    expect(refused.status).toBe(403)
  })
})

describe('a replay', () => {
  it('causes the same events, records and ports, and leaves the source unchanged', async () => {
    const target = await makeTarget()
    // The initial state of the target does not matter: it is reset to that of the source.
    await api.sql('update port set status = 3, ord = 9000000000000000000 where device_id = $1', [target])
    await api.sql(
      "update device_state set plugs = '{3,3}', plug_ords = '{9000000000000000000,9000000000000000000}' where device_id = $1",
      [target],
    )
    const before = await whole(source)
    const { data } = await start(fixture.platform.root, target)
    expect(await ended(data.id)).toMatchObject({ status: 2, total: ups().length, done: ups().length, reason: null })
    expect(await whole(source)).toEqual(before)
    const [was, now] = [await readState(source), await readState(target)]
    expect(was.events.length).toBeGreaterThan(5)
    expect(was.records).toHaveLength(2)
    expect(now).toEqual(was)
    const compared = await api.call(fixture.platform.root.token, messageReplay.compare, { params: { id: data.id } })
    expect(compared.data.messages).toEqual({ sent: ups().length, taken: ups().length })
    expect(compared.data.events.length).toBeGreaterThan(4)
    for (const { before: then, after } of compared.data.events) expect(after).toBe(then)
    expect(compared.data.records.map(({ kind, same }) => [kind, same])).toEqual([
      ['swipe', true],
      ['settlement', true],
    ])
    expect(compared.data.ports).toMatchObject([
      { portNo: 1, statusBefore: 1, statusAfter: 1, energyWhBefore: 170, energyWhAfter: 170, minutesAfter: 20 },
      { portNo: 2, statusBefore: 3, statusAfter: 3 },
    ])
    expect(compared.data.sentCommands.map(({ kind }) => kind)).toEqual(['command'])
    // Commands are not replayed.
    expect(await api.sql('select id from device_message where device_id = $1 and direction = 2', [target])).toEqual([])
  })

  it('keeps the order of the device’s own counters, whatever the order of arrival', async () => {
    const counting = await makeDevice(api, { organiseId: fixture.green.id, typeId: models.mqtt })
    const target = await makeDevice(api, { organiseId: lab, typeId: models.mqtt })
    const counted = (seq: number, event: object) =>
      voice.item(counting, event, { o: countedOrder(3n, BigInt(seq)), boot: 3, seq, atMs: Date.now() - 9000 + seq })
    const here = { kind: 'connected', session: countedOrder(3n, 1n) }
    const items = [counted(1, here), counted(9, heartbeat('fault')), counted(5, heartbeat('working'))]
    // The later message arrived first.
    await voice.publish(
      items.map((item, place) => ({ ...item, id: String(BigInt(items[0]?.id ?? 0) + BigInt(place)) })),
    )
    await until(async () => ((await whole(counting))[0]?.length === 3 ? true : undefined))
    for (let times = 0; times < 2; times++) {
      const { data } = await start(fixture.platform.root, target, { deviceId: counting })
      await ended(data.id)
      expect(await api.sql('select status from port where device_id = $1 and port_no = 1', [target])).toEqual([
        { status: 3 },
      ])
      const orders = (device: string) =>
        api.sql('select session, beat_ord, plug_ords[1] from device_state where device_id = $1', [device])
      expect(await orders(target)).toEqual(await orders(counting))
    }
  })

  it('shows differences in the outcome', async () => {
    const target = await makeTarget()
    const { data } = await start(fixture.platform.root, target)
    await ended(data.id)
    await api.sql(
      "update device_record set content = content || '{\"durationS\": 10800}' where device_id = $1 and kind = 'settlement'",
      [target],
    )
    await api.sql("delete from device_event where device_id = $1 and kind = 'registered'", [target])
    await api.sql('update port set status = 2 where device_id = $1 and port_no = 1', [target])
    const { data: compared } = await api.call(fixture.platform.root.token, messageReplay.compare, {
      params: { id: data.id },
    })
    expect(compared.events[0]).toMatchObject({ kind: 'registered', before: 1, after: 0 })
    expect(compared.records[0]).toMatchObject({
      kind: 'settlement',
      same: false,
      before: { durationS: 1200 },
      after: { durationS: 10_800 },
    })
    expect(compared.ports[0]).toMatchObject({ statusBefore: 1, statusAfter: 2 })
  })

  it('can be repeated on the same device with the same outcome, but not twice at once', async () => {
    const target = await makeTarget()
    const first = await start(fixture.platform.root, target, { speed: 1 })
    expect((await start(fixture.platform.root, target)).status).toBe(409)
    await api.call(fixture.platform.root.token, messageReplay.cancel, { body: { id: first.data.id } })
    for (let times = 0; times < 2; times++) {
      const { data } = await start(fixture.platform.root, target)
      await ended(data.id)
      const { data: compared } = await api.call(fixture.platform.root.token, messageReplay.compare, {
        params: { id: data.id },
      })
      expect(compared.messages).toEqual({ sent: ups().length, taken: ups().length })
      expect(compared.events.filter(({ before, after }) => before !== after)).toEqual([])
      expect(compared.records.map(({ same }) => same)).toEqual([true, true])
    }
  })

  it('gives another organisation no card, no SIM card, no address and no frame', async () => {
    const target = await makeTarget()
    await ended((await start(fixture.platform.root, target)).data.id)
    const rows = (await whole(target)).flat().map((row) => JSON.stringify(row))
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter((text) => /1A2B3C4D|861234567890123|10\.0\.0\.8|RE5Z|444e59/i.test(text))).toEqual([])
    expect(await api.sql('select id from device_message where device_id = $1 and frame is not null', [target])).toEqual(
      [],
    )
    const cards = await api.sql<{ card: string }>(
      "select distinct content ->> 'card' as card from device_record where device_id = $1",
      [target],
    )
    expect(cards).toEqual([{ card: expect.stringMatching(/^[\dA-F]{8}$/) as string }])
  })

  it('is started by a command, too, which compares and is logged', async () => {
    const target = await makeTarget()
    const customers = await makeDevice(api, { organiseId: fixture.swift.id, typeId: models.dny })
    const numberOf = async (id: string) =>
      (await api.sql<{ no: string }>('select device_no as no from device where id = $1', [id]))[0]?.no ?? ''
    const run = async (to: string) => {
      const { beginAt, endAt } = range()
      const options = ['--device', await numberOf(source), '--from', beginAt, '--to', endAt, '--to-device', to]
      const env = { ...process.env, WORKER_DATABASE_URL: api.config.workerDatabaseUrl }
      return promisify(execFile)(process.execPath, ['tools/ops/replay.ts', ...options, '--speed', 'max'], { env })
    }
    await expect(run(await numberOf(customers))).rejects.toMatchObject({
      code: 1,
      stderr: '目标设备不属于测试机构，不能接收重放\n',
    })
    const { stdout } = await run(await numberOf(target))
    expect(stdout).toContain('everything came out the same')
    const entries = await api.sql<{ content: string; changes: { table: string }[] }>(
      "select content, changes from audit_log where user_name = '命令行'",
    )
    expect(entries).toMatchObject([
      { content: expect.stringContaining(await numberOf(target)) as string, changes: [{ table: 'message_replay' }] },
    ])
  })

  it('is refused without messages, for too long a time, or for another kind of device', async () => {
    const target = await makeTarget()
    const old = { beginAt: shown(Date.now() - 7_200_000), endAt: shown(Date.now() - 3_600_000) }
    expect((await start(fixture.platform.root, target, old)).status).toBe(422)
    const long = { beginAt: shown(Date.now() - 25 * 3_600_000), endAt: shown(Date.now()) }
    expect((await start(fixture.platform.root, target, long)).status).toBe(422)
    expect((await start(fixture.platform.root, target, { beginAt: long.endAt, endAt: long.beginAt })).status).toBe(422)
    const other = await makeDevice(api, { organiseId: lab, typeId: models.mqtt })
    expect((await start(fixture.platform.root, other)).status).toBe(409)
    const { data } = await api.call(fixture.platform.root.token, messageReplay.targets, { query: { deviceId: source } })
    expect(data.map(({ id }) => id)).toContain(target)
    expect(data.map(({ id }) => id)).not.toContain(other)
  })

  it('stops when its requester loses the right', async () => {
    const target = await makeTarget()
    const person = await makePerson(api, { organiseId: '1', loginName: 'leaving', menus })
    const { data } = await start(person, target, { speed: 1 })
    await api.sql('update user_account set status = 0 where id = $1', [person.id])
    expect(await ended(data.id)).toMatchObject({ status: 4, reason: '发起人已没有权限' })
  })

  it('sends no further message after it was cancelled', async () => {
    const target = await makeTarget()
    const { data } = await start(fixture.platform.root, target, { speed: 1 })
    await until(async () => ((await read(data.id)).done > 0 ? true : undefined))
    const cancel = () => api.call(fixture.platform.root.token, messageReplay.cancel, { body: { id: data.id } })
    expect((await cancel()).status).toBe(200)
    expect((await cancel()).status).toBe(409)
    const count = async () => (await whole(target))[0]?.length ?? 0
    const [early] = [await count(), await new Promise((resume) => setTimeout(resume, 2500))]
    expect(await count()).toBeLessThanOrEqual(early + 1)
    expect(await count()).toBeLessThan(ups().length)
  })

  it('is resumed after a worker was killed, and sends each message once', async () => {
    const target = await makeTarget()
    const { data } = await start(fixture.platform.root, target, { speed: 10 })
    await until(async () => ((await read(data.id)).done >= 4 ? true : undefined))
    await worker.kill()
    // Simulates a crash after the stream accepted messages, and before the database recorded it.
    await api.sql(
      `update message_replay set done = 2, position = (select id from device_message where device_id = $2 and direction = 1 order by id offset 1 limit 1) where id = $1`,
      [data.id, source],
    )
    worker = await startWorkerProcess(api.config)
    expect(await ended(data.id)).toMatchObject({ status: 2, done: ups().length })
    expect((await whole(target))[0]).toHaveLength(ups().length)
    expect(await readState(target)).toEqual(await readState(source))
  })
})
