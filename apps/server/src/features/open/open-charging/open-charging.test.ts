import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connect } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { plugStatus } from '@wattdeck/device-protocol/plug-status.ts'
import type { OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeOpenApp, makePayer, makeStation } from '../../../../test/fixtures/charging.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { gatewayPublisher } from '../../../../test/harness/gateway-voice.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { until } from '../../../../test/harness/until.ts'
import { signatureOf } from '../../../kit/crypto/signature.ts'

let voice: ReturnType<typeof gatewayPublisher>
const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const client = await makeOpenApp(api, fixture.green.id)
const worker = await startWorkerProcess(api.config)
const bus = await connect({ servers: api.config.natsUrl })
beforeAll(async () => {
  voice = gatewayPublisher(bus, api.config.prefix, gateway)
  listen()
})
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

const money = { limitBy: 1, amount: '3.00' } as const
const start = async (
  memberId: string,
  deviceNo: string,
  request: object = { limitBy: '1', amount: '3.00' },
  portNo = '1',
) => client.call(openCharging.start, { body: { memberId, deviceNo, portNo, ...request } as never })
const balances = (memberId: string) => client.call(openCharging.member, { params: { memberId } })
const order = (orderNo: string) => client.call(openCharging.order, { params: { orderNo } })
const ended = (orderNo: string, status: number) =>
  until(async () => {
    const found = await order(orderNo)
    return found.status === status ? found : undefined
  })

/** A gateway that receives every command. Each device obeys, refuses, or does not answer. */
const gateway = 9
const faultProfiles = new Map<string, 'refuses' | 'silent'>()
function listen() {
  const subscription = bus.subscribe(deviceBus.down(api.config.prefix, gateway))
  void (async () => {
    for await (const message of subscription) {
      const { items } = message.json<DownEnvelope>()
      message.respond(JSON.stringify({ absent: [] }))
      const answeredItems = items.filter(({ d }) => faultProfiles.get(d) !== 'silent')
      await voice.publish(
        answeredItems.map(({ id, d }) => voice.item(d, answerTo(id, faultProfiles.get(d) === undefined))),
      )
    }
  })()
}
const answerTo = (commandId: string, ok: boolean) => ({
  kind: 'commandResult',
  commandId,
  ok,
  carriedOut: ok,
  ...(ok ? {} : { refusal: { name: 'unplugged', raw: 2 } }),
})

/** Moves the confirmed start of the charge into the past. */
const startedAgo = (orderNo: string, seconds: number) =>
  api.sql('update charging_order set started_at = now() - make_interval(secs => $2) where id = $1', [orderNo, seconds])
let bills = 0
const bill = (deviceId: string, reading: object) =>
  voice.publish([
    voice.item(
      deviceId,
      {
        kind: 'settlement',
        port: 1,
        durationS: 3600,
        energyWh: 500,
        maxPowerDw: 5200,
        stopReason: { name: 'full', raw: 1 },
        ...reading,
      },
      { r: { key: `bill:${++bills}`, at: Math.floor(Date.now() / 1000) } },
    ),
  ])

async function charging(paidFen = 1000n, giftFen = 0n) {
  const station = await makeStation(api, fixture.green, models)
  const memberId = await makePayer(api, fixture.green.id, paidFen, giftFen)
  const { orderNo, held } = await start(memberId, station.deviceNo)
  await ended(orderNo, 2)
  await startedAgo(orderNo, 3600)
  return { ...station, memberId, orderNo, held }
}

describe('a program', () => {
  const headers = (secret: string, key: string, timestamp = String(Date.now())) => ({
    'x-app-key': key,
    'x-timestamp': timestamp,
    'x-signature': signatureOf(secret, {
      method: 'GET',
      url: '/open/api/member/1',
      timestamp,
      idempotencyKey: '',
      body: '',
    }),
  })
  const status = async (sent: Record<string, string>) =>
    (await fetch(`${api.url}/open/api/member/1`, { headers: sent })).status

  it('is authenticated only by its signature, within the time window, and by its old secret during a change of secrets', async () => {
    const key = 'ab'.repeat(16)
    await api.sql(
      `insert into open_app (organise_id, name, app_key, secret_sealed, old_secret_sealed, old_until)
       values ($1, '甲', $2, $3, $4, now() + interval '1 day')`,
      [fixture.green.id, key, api.deps.vault.seal('new secret'), api.deps.vault.seal('old secret')],
    )
    expect(await status(headers('new secret', key))).toBe(404)
    expect(await status(headers('old secret', key))).toBe(404)
    expect(await status(headers('no secret', key))).toBe(401)
    expect(await status(headers('new secret', key, String(Date.now() - 400_000)))).toBe(401)
    expect(await status(headers('new secret', 'cd'.repeat(16)))).toBe(401)
    expect(await status({})).toBe(401)
    expect(await status({ authorization: `Bearer ${fixture.platform.root.token}` })).toBe(401)
    await api.sql('update open_app set old_until = now() where app_key = $1', [key])
    expect(await status(headers('old secret', key))).toBe(401)
    await api.sql("update open_app set networks = '{198.51.100.0/24}' where app_key = $1", [key])
    expect(await status(headers('new secret', key))).toBe(401)
    await api.sql("update open_app set networks = '{198.51.100.0/24,127.0.0.0/8}' where app_key = $1", [key])
    expect(await status(headers('new secret', key))).toBe(404)
  })

  it('[attack.L11] loses access with a leaked secret at once, and can be revoked for good', async () => {
    const tool = async (...words: string[]) => {
      const keys = api.config.secretKeys.join(',')
      const { stdout } = await promisify(execFile)(process.execPath, ['tools/ops/open-app.ts', ...words], {
        env: { ...process.env, DATABASE: api.database, SECRET_KEYS: keys },
      })
      const [, key = '', secret = ''] = /X-App-Key (\S+)\s+secret\s+(\S+)/.exec(stdout) ?? []
      return { key, secret }
    }
    const first = await tool('--organise', fixture.green.id, '--name', '乙')
    expect(await status(headers(first.secret, first.key))).toBe(404)
    const second = await tool('--rotate', first.key)
    const third = await tool('--rotate', first.key, '--now')
    const secrets = [first, second, third].map(({ secret }) => status(headers(secret, first.key)))
    expect(await Promise.all(secrets)).toEqual([401, 401, 404])
    await tool('--revoke', first.key)
    expect(await status(headers(third.secret, first.key))).toBe(401)
  })

  it('registers a member once by open id, union id or phone, and the log records it', async () => {
    const apps = await api.sql<{ app_id: string }>(
      `insert into member_app (organise_id, channel, app_id, name) values ($1, 1, 'wx1', '公众号'), ($1, 2, 'wx2', '小程序') returning app_id`,
      [fixture.green.id],
    )
    const save = async (appId: string, openId: string, more: object = {}) =>
      (await client.call(openCharging.saveMember, { body: { appId, openId, nickname: '王', ...more } })).memberId
    const [first = '', second = ''] = apps.map(({ app_id }) => app_id)
    const memberId = await save(first, 'o1', { unionId: 'u1', phone: '13812345678' })
    expect(await save(first, 'o1')).toBe(memberId)
    expect(await save(second, 'o2', { unionId: 'u1' })).toBe(memberId)
    expect(await save(second, 'o3', { phone: '13812345678' }).catch((error: Error) => error.message)).toBe(
      '已存在相同的记录',
    )
    expect(await save(second, 'o4')).not.toBe(memberId)
    await expect(save('wx9', 'o1')).rejects.toMatchObject({ status: 422, message: '该应用未登记' })
    const log = await api.sql(`select user_name from audit_log where path = '/open/api/member' and result = 1`)
    expect(log.every(({ user_name }) => user_name === '小程序')).toBe(true)
    expect(log.length).toBeGreaterThan(2)
  })

  it('of another organisation finds no device, member or order', async () => {
    const foreign = await makeOpenApp(api, fixture.swift.id)
    const { deviceNo, memberId, orderNo } = await charging()
    const calls = [
      foreign.call(openCharging.port, { query: { deviceNo, portNo: '1' } }),
      foreign.call(openCharging.member, { params: { memberId } }),
      foreign.call(openCharging.order, { params: { orderNo } }),
      foreign.call(openCharging.stop, { body: { orderNo } }),
      foreign.call(openCharging.start, { body: { memberId, deviceNo, portNo: '2', ...money } as never }),
    ]
    expect(
      (await Promise.allSettled(calls)).map(
        (call) => call.status === 'rejected' && (call.reason as OpenRefusal).status,
      ),
    ).toEqual([404, 404, 404, 404, 404])
  })
})

describe('a charge', () => {
  it('reserves money, is confirmed, billed by its tariff, and releases the rest', async () => {
    const { deviceId, deviceNo, memberId, orderNo, held } = await charging(1000n)
    expect(held).toBe('3.00')
    expect(await balances(memberId)).toMatchObject({ balance: '7.00', held: '3.00' })
    expect((await client.call(openCharging.port, { query: { deviceNo, portNo: '1' } })).canStart).toBe(true)
    await bill(deviceId, { orderNo, durationS: 3600, energyWh: 500 })
    const done = await ended(orderNo, 3)
    expect(done).toMatchObject({
      electricity: '0.31',
      service: '0.20',
      total: '0.51',
      stopReason: '充满自停',
      energyWh: 500,
    })
    expect(done.explanation.join()).toContain('0.51')
    expect(await balances(memberId)).toMatchObject({ balance: '9.49', held: '0.00' })
  })

  it('spends paid money before gift money, and pays out no gift money', async () => {
    const { deviceId, memberId, orderNo } = await charging(30n, 1000n)
    await bill(deviceId, { orderNo, energyWh: 500 })
    await ended(orderNo, 3)
    expect(await balances(memberId)).toMatchObject({ balance: '0.00', gift: '9.79', held: '0.00' })
  })

  it('that the device refuses costs nothing', async () => {
    const { deviceId, deviceNo } = await makeStation(api, fixture.green, models)
    const memberId = await makePayer(api, fixture.green.id, 500n)
    faultProfiles.set(deviceId, 'refuses')
    const { orderNo } = await start(memberId, deviceNo)
    expect(await ended(orderNo, 4)).toMatchObject({ stopReason: '端口未插充电器', total: '0.00' })
    expect(await balances(memberId)).toMatchObject({ balance: '5.00', held: '0.00' })
  })

  it('that is not confirmed within 90 seconds releases its money; a later bill goes to review', async () => {
    const { deviceId, deviceNo } = await makeStation(api, fixture.green, models)
    const memberId = await makePayer(api, fixture.green.id, 500n)
    faultProfiles.set(deviceId, 'silent')
    const { orderNo } = await start(memberId, deviceNo)
    await api.sql(`update device_command set status = 7, ended_at = now() where device_id = $1`, [deviceId])
    await api.sql(`update open_charge set confirm_by = now() where order_id = $1`, [orderNo])
    await ended(orderNo, 4)
    expect(await balances(memberId)).toMatchObject({ balance: '5.00', held: '0.00' })
    await bill(deviceId, { orderNo, durationS: 10, energyWh: 1 })
    await ended(orderNo, 5)
    expect(await api.sql('select review_reasons from charging_order where id = $1', [orderNo])).toEqual([
      { review_reasons: ['late'] },
    ])
    expect(await balances(memberId)).toMatchObject({ balance: '5.00' })
  })

  it('is billed once when its bill arrives several times', async () => {
    const { deviceId, memberId, orderNo } = await charging()
    await Promise.all([1, 2, 3].map(() => bill(deviceId, { orderNo, energyWh: 500 })))
    await ended(orderNo, 3)
    await bill(deviceId, { orderNo, energyWh: 900 })
    await until(async () => ((await api.sql('select 1 from charge_news')).length === 0 ? true : undefined))
    expect(await balances(memberId)).toMatchObject({ balance: '9.49', held: '0.00' })
  })

  it.each([
    ['tooMuchEnergy', { energyWh: 9000 }],
    ['tooLong', { durationS: 86_400, energyWh: 500 }],
    ['zeroBaseline', { meterStartDwh: 0, meterEndDwh: 5000 }],
    ['backwards', { meterStartDwh: 5000, meterEndDwh: 100 }],
    ['amountDiffers', { amountYuanE4: 60_000 }],
  ])('with an impossible reading (%s) goes to review and is not billed', async (reason, reading) => {
    const { deviceId, memberId, orderNo } = await charging()
    await bill(deviceId, { orderNo, ...reading })
    await ended(orderNo, 5)
    const [row] = await api.sql<{ review_reasons: string[] }>(
      'select review_reasons from charging_order where id = $1',
      [orderNo],
    )
    expect(row?.review_reasons).toEqual([reason])
    expect(await balances(memberId)).toMatchObject({ balance: '7.00', held: '3.00' })
  })

  it('goes to review when the meter decreases between two reports of one batch, whatever the bill contains', async () => {
    const { deviceId, orderNo } = await charging()
    const report = (energyWh: number) =>
      voice.item(deviceId, {
        kind: 'portReport',
        port: 1,
        orderNo,
        status: plugStatus.say('dny', 'working'),
        powerDw: 5000,
        durationS: 1800,
        energyWh,
      })
    await voice.publish([report(300), report(100), report(310)])
    await bill(deviceId, { orderNo, energyWh: 500 })
    await ended(orderNo, 5)
    expect(await api.sql('select review_reasons from charging_order where id = $1', [orderNo])).toEqual([
      { review_reasons: ['backwards'] },
    ])
  })

  it('is refused on an occupied port, and one of ten concurrent requests starts', async () => {
    const { deviceNo } = await makeStation(api, fixture.green, models)
    const members = await Promise.all(Array.from({ length: 10 }, () => makePayer(api, fixture.green.id, 500n)))
    const tries = await Promise.allSettled(members.map((memberId) => start(memberId, deviceNo)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, message: '端口正在使用' })
    const wallets = await Promise.all(members.map((memberId) => balances(memberId)))
    expect(wallets.filter(({ held }) => held !== '0.00')).toHaveLength(1)
  })

  it('without sufficient balance is refused', async () => {
    const { deviceNo } = await makeStation(api, fixture.green, models)
    const memberId = await makePayer(api, fixture.green.id, 299n)
    await expect(start(memberId, deviceNo)).rejects.toMatchObject({ status: 409, message: '余额不足，请先充值' })
  })

  it('that started without an order goes to review, and so does a bill for an unknown order', async () => {
    const { deviceId } = await makeStation(api, fixture.green, models)
    const startsMs = Date.now() - 3_600_000
    await voice.publish([
      voice.item(
        deviceId,
        { kind: 'offlineStart', port: 1, orderNo: 'OFF1', card: '0A0B0C0D' },
        { atMs: startsMs, r: { key: 'off:1', at: 1 } },
      ),
    ])
    await bill(deviceId, { orderNo: 'OFF1', energyWh: 300 })
    await bill(deviceId, { orderNo: 'NOBODY', port: 2, energyWh: 300 })
    const rows = await until(async () => {
      const found = await api.sql(
        'select wire_no, status, review_reasons from charging_order where device_id = $1 and status = 5 order by wire_no',
        [deviceId],
      )
      return found.length === 2 ? found : undefined
    })
    expect(rows).toEqual([
      { wire_no: 'NOBODY', status: 5, review_reasons: ['unknownOrder', 'noPayer'] },
      { wire_no: 'OFF1', status: 5, review_reasons: ['noPayer'] },
    ])
  })

  it.each([
    ['0.001', '请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'],
    ['0.00', '请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'],
    ['10000000', '请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'],
    ['1e2', '请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'],
    ['-1', '请输入正确格式的金额（0.01-9999999.99之间，最多两位小数）'],
  ])('for %s yuan is refused with the text of the specification', async (amount, message) => {
    const { deviceNo } = await makeStation(api, fixture.green, models)
    const memberId = await makePayer(api, fixture.green.id, 500n)
    await expect(start(memberId, deviceNo, { limitBy: '1', amount })).rejects.toMatchObject({ status: 422, message })
  })

  it('leaves a ledger that passes its proof', async () => {
    expect(await api.sql('select * from app.ledger_breaks() union all select * from app.order_breaks()')).toEqual([])
  })
})
