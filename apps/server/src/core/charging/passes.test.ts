import { connect } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope } from '@wattdeck/contract/events/device-bus.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openPass } from '@wattdeck/contract/open/open-pass.ts'
import { cardBuyStatus } from '@wattdeck/contract/order/member-card-codes.ts'
import { memberCardBuy } from '@wattdeck/contract/order/member-card-buy.ts'
import { monthlyPlan } from '@wattdeck/contract/system/monthly-plan.ts'
import type { OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { makeOpenApp, makePayer, makeStation } from '../../../test/fixtures/charging.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { makeMonthlyPlan, makePass } from '../../../test/fixtures/monthly-passes.ts'
import { accountSum, allBreaks, makeTrader, startPayFixture } from '../../../test/fixtures/payments.ts'
import { gatewayPublisher } from '../../../test/harness/gateway-voice.ts'
import { makeFixture } from '../../../test/harness/people.ts'
import { until } from '../../../test/harness/until.ts'
import { createPool } from '../../kit/db/db.ts'
import { earnPasses } from './pass-income.jobs.ts'

const there = await startPayFixture()
const { api, sandbox } = there
const fixture = await makeFixture(api)
const { green, swift } = fixture
const models = await makeModels(api)
const client = await makeOpenApp(api, green.id)
const trader = await makeTrader(there, green.id)
const worker = await there.startWorker()
const pools = [createPool(api.config.workerDatabaseUrl, 4), createPool(api.config.workerDatabaseUrl, 4)] as const
const bus = await connect({ servers: api.config.natsUrl })
const gateway = 9
const voice = gatewayPublisher(bus, api.config.prefix, gateway)
/** Every device obeys. */
const subscription = bus.subscribe(deviceBus.down(api.config.prefix, gateway))
void (async () => {
  for await (const message of subscription) {
    const { items } = message.json<DownEnvelope>()
    message.respond(JSON.stringify({ absent: [] }))
    await voice.publish(
      items.map(({ id, d }) => voice.item(d, { kind: 'commandResult', commandId: id, ok: true, carriedOut: true })),
    )
  }
})()
afterAll(async () => {
  await bus.close()
  await worker.stop()
  for (const pool of pools) await pool.end()
})
afterEach(async () => {
  const breaks = await allBreaks(api)
  if (breaks.length > 0) throw new Error(`the books are broken: ${JSON.stringify(breaks)}`)
})

const refused = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: OpenRefusal) => `${error.status} ${error.message}`,
  )
const member = (paidFen = 1000n) => makePayer(api, green.id, paidFen)
const ask = (memberId: string, planId: string, more: object = {}) =>
  client.call(openPass.add, { body: { memberId, planId, provider: '1', way: '1', ...more } as never })
const read = (passOrderNo: string) => client.call(openPass.read, { query: { passOrderNo } })
const inState = (passOrderNo: string, status: number) =>
  until(async () => {
    const found = await read(passOrderNo)
    return found.status === status ? found : undefined
  })
const codeOf = (passOrderNo: string) => until(async () => (await read(passOrderNo)).codeUrl ?? undefined)
/** Buys a pass and pays it at the provider. */
async function buy(memberId: string, planId: string) {
  const { passOrderNo } = await ask(memberId, planId)
  sandbox.pay({ codeUrl: await codeOf(passOrderNo) })
  return inState(passOrderNo, cardBuyStatus.code.paid)
}
const passes = async (memberId: string) => (await client.call(openPass.passes, { query: { memberId } })).rows

const start = (memberId: string, deviceNo: string, wish: object = { limitBy: '4' }) =>
  client.call(openCharging.start, { body: { memberId, deviceNo, portNo: '1', ...wish } as never })
const readOrder = (orderNo: string) => client.call(openCharging.order, { params: { orderNo } })
const ended = (orderNo: string, status: number) =>
  until(async () => {
    const found = await readOrder(orderNo)
    return found.status === status ? found : undefined
  })
async function charging(memberId: string, wish?: object) {
  const station = await makeStation(api, green, models)
  const { orderNo, held } = await start(memberId, station.deviceNo, wish)
  await ended(orderNo, 2)
  await api.sql("update charging_order set started_at = now() - interval '2 hours' where id = $1", [orderNo])
  return { ...station, orderNo, held }
}
let bills = 0
const bill = (deviceId: string, orderNo: string, reading: object = {}) =>
  voice.publish([
    voice.item(
      deviceId,
      {
        kind: 'settlement',
        port: 1,
        orderNo,
        durationS: 3600,
        energyWh: 500,
        maxPowerDw: 5200,
        stopReason: { name: 'full', raw: 1 },
        ...reading,
      },
      { r: { key: `pass:${++bills}`, at: Math.floor(Date.now() / 1000) } },
    ),
  ])
/** A whole charge. */
async function charged(memberId: string, reading: object = {}) {
  const { deviceId, orderNo, held } = await charging(memberId)
  await bill(deviceId, orderNo, reading)
  return { ...(await ended(orderNo, 3)), held, orderNo }
}
const columns = async (orderNo: string) =>
  (
    await api.sql(
      'select total_fen::int as total, paid_fen::int as paid, pass_fen::int as pass, subsidy_fen::int as subsidy from charging_order where id = $1',
      [orderNo],
    )
  )[0]
/** Moves a pass and its uses into the past. */
async function daysLater(passId: string, days: number) {
  await api.sql('update member_plan set from_on = from_on - $2::int, to_on = to_on - $2::int where id = $1', [
    passId,
    days,
  ])
  await api.sql('update plan_use set used_on = used_on - $2::int where pass_id = $1', [passId, days])
}
const earn = () => earnPasses(pools[0])
const siteEarned = () => accountSum(api, green.id, 24, green.siteId)
const organiseEarned = () => accountSum(api, green.id, 55)
const deferred = (passId: string) => accountSum(api, green.id, 54, passId)
const passOf = async (memberId: string) => (await passes(memberId))[0]?.passId ?? ''

describe('a pass', () => {
  it('is bought at the price of the plan and is deferred income until its days have passed', async () => {
    const memberId = await member(0n)
    const planId = await makeMonthlyPlan(api, { organiseId: green.id }, { priceFen: 3100, days: 31, name: '31天卡' })
    const offered = await client.call(openPass.plans, { query: { memberId } })
    expect(offered.rows).toContainEqual({
      planId,
      name: '31天卡',
      price: '31.00',
      days: 31,
      minutes: 240,
      energyDwh: null,
      dayTimes: 2,
      monthTimes: null,
    })
    const body = { memberId, planId, provider: '1', way: '1' } as never
    const key = crypto.randomUUID()
    const { passOrderNo } = await client.call(openPass.add, { body, key })
    expect(await client.call(openPass.add, { body, key })).toEqual({ passOrderNo })
    expect(await passes(memberId)).toEqual([])
    sandbox.behave({ noticeCopies: 3 }, trader.merchantNo)
    sandbox.pay({ codeUrl: await codeOf(passOrderNo) })
    const paid = await inState(passOrderNo, cardBuyStatus.code.paid)
    sandbox.behave({}, trader.merchantNo)
    expect(paid).toMatchObject({ price: '31.00', codeUrl: null })
    const [held, ...others] = await passes(memberId)
    expect(others).toEqual([])
    expect(held).toMatchObject({ name: '31天卡', phase: 2, usedToday: 0, inUse: false, fromOn: paid.fromOn })
    expect(await deferred(held?.passId ?? '')).toBe(3100n)
    const { data } = await api.call(green.admin.token, memberCardBuy.list, { query: { orderNo: passOrderNo } as never })
    expect(data.rows).toMatchObject([
      { status: 2, phase: 2, planName: '31天卡', amount: '31.00', paid: '31.00', uses: 0 },
    ])
    const detail = await api.call(green.admin.token, memberCardBuy.detail, { params: { id: passOrderNo } })
    expect(detail.data).toMatchObject({
      earned: '0.00',
      deferred: '31.00',
      use: '240 分钟',
      times: '每日2次',
      versionNo: 1,
    })
  })

  it('is never bought at a price that the client sends', async () => {
    const memberId = await member()
    const planId = await makeMonthlyPlan(api, { organiseId: green.id })
    for (const price of [{ price: '0.01' }, { amount: '0.01' }, { versionId: '1' }])
      expect(await refused(ask(memberId, planId, price))).toMatch(/^422/)
    expect(await api.sql('select id from plan_order where member_id = $1', [memberId])).toEqual([])
  })

  it('of another organisation, of a disabled plan, or of a disabled member is not sold', async () => {
    const memberId = await member()
    const foreign = await makeMonthlyPlan(api, { organiseId: swift.id })
    const off = await makeMonthlyPlan(api, { organiseId: green.id }, { enabled: false })
    const planId = await makeMonthlyPlan(api, { organiseId: green.id })
    expect(await refused(ask(memberId, foreign))).toMatch(/^404/)
    expect(await refused(ask(memberId, off))).toBe('409 该包月方案已停售')
    await api.sql('update member set status = 0 where id = $1', [memberId])
    expect(await refused(ask(memberId, planId))).toBe('409 该用户已停用，不能购卡')
  })

  it('that is cancelled unpaid never begins', async () => {
    const memberId = await member()
    const planId = await makeMonthlyPlan(api, { organiseId: green.id })
    const { passOrderNo } = await ask(memberId, planId)
    await codeOf(passOrderNo)
    await client.call(openPass.cancel, { body: { passOrderNo } })
    await inState(passOrderNo, cardBuyStatus.code.cancelled)
    expect(await passes(memberId)).toEqual([])
  })

  it('is renewed without losing a day, and not hoarded', async () => {
    const memberId = await member()
    const planId = await makeMonthlyPlan(api, { organiseId: green.id }, { days: 30 })
    const first = await buy(memberId, planId)
    // Paid at the same moment.
    const orders = [await ask(memberId, planId), await ask(memberId, planId)]
    expect(await refused(ask(memberId, planId))).toMatch(/^409 同一方案最多持有3张/)
    for (const { passOrderNo } of orders) sandbox.pay({ codeUrl: await codeOf(passOrderNo) })
    const more = await Promise.all(orders.map(({ passOrderNo }) => inState(passOrderNo, cardBuyStatus.code.paid)))
    const days = [first, ...more].map(({ fromOn }) => Date.parse(fromOn ?? '') / 86_400_000).toSorted((a, b) => a - b)
    expect(days.map((day) => day - (days[0] ?? 0))).toEqual([0, 30, 60])
    expect((await passes(memberId)).map(({ phase }) => phase)).toEqual([1, 1, 2])
  })

  it('keeps the terms that were bought when the plan changes', async () => {
    const memberId = await member(0n)
    const { token } = green.admin
    const terms = { name: '老价格', price: '20.00', days: '30', unit: '1', minutes: '240', dayTimes: '1', reach: '1' }
    const { id } = (await api.call(token, monthlyPlan.add, { body: terms as never })).data
    const { passOrderNo } = await ask(memberId, id)
    const change = { ...terms, id, name: '新价格', price: '50.00', days: '10', minutes: '1', dayTimes: '5' }
    expect((await api.call(token, monthlyPlan.edit, { body: change as never })).status).toBe(200)
    // The price of the request counts, and so does its version.
    sandbox.pay({ codeUrl: await codeOf(passOrderNo) })
    expect(await inState(passOrderNo, cardBuyStatus.code.paid)).toMatchObject({
      name: '老价格',
      price: '20.00',
      days: 30,
    })
    expect(await passes(memberId)).toMatchObject([{ name: '老价格', minutes: 240, dayTimes: 1 }])
    expect(await charged(memberId)).toMatchObject({ total: '0.00', discount: '0.51' })
    const { rows } = await client.call(openPass.plans, { query: { memberId } })
    expect(rows.find(({ planId }) => planId === id)).toMatchObject({ name: '新价格', price: '50.00', dayTimes: 5 })
    const versions = await api.call(token, monthlyPlan.versions, { params: { id } })
    expect(versions.data.rows.map(({ no, price, sold }) => [no, price, sold])).toEqual([
      [2, '50.00', 0],
      [1, '20.00', 1],
    ])
  })
})

describe('a charge with a pass', () => {
  const holder = async (terms: Parameters<typeof makeMonthlyPlan>[2] = {}, paidFen = 1000n) => {
    const memberId = await member(paidFen)
    const planId = await makeMonthlyPlan(api, { organiseId: green.id }, terms)
    return { memberId, planId, ...(await makePass(api, memberId, planId)) }
  }

  it('within its quota costs nothing, needs no money, and the bill says so', async () => {
    const { memberId, passId } = await holder({ name: '月卡' }, 0n)
    const done = await charged(memberId)
    expect(done).toMatchObject({ held: '0.00', total: '0.00', discount: '0.51' })
    expect(done.explanation.join('\n')).toContain('包月「月卡」优惠 0.51 元（包月费承担）')
    expect(await columns(done.orderNo)).toEqual({ total: 0, paid: 0, pass: 51, subsidy: 0 })
    expect(await passes(memberId)).toMatchObject([{ passId, usedToday: 1, usedThisMonth: 1, inUse: false }])
    // The site earns with the day, not with the bill.
    expect(await deferred(passId)).toBe(3000n)
  })

  it('beyond its minutes or its energy pays the rest by the tariff', async () => {
    const minutes = await holder({ minutes: 30 })
    // Half of the hour is covered: 0.51 - 0.26.
    expect(await charged(minutes.memberId)).toMatchObject({ total: '0.25', discount: '0.26' })
    const energy = await holder({ dwh: 2000 })
    // 0.2 of 0.5 kWh: 0.51 - 0.20.
    const done = await charged(energy.memberId)
    expect(done).toMatchObject({ total: '0.31', discount: '0.20' })
    expect(await columns(done.orderNo)).toEqual({ total: 31, paid: 31, pass: 20, subsidy: 0 })
  })

  it('is one at a time: of two at the same moment the second pays the tariff', async () => {
    const { memberId, passId } = await holder({ dayTimes: 20, minutes: 1440 }, 10_000n)
    const stations = [await makeStation(api, green, models), await makeStation(api, green, models)]
    const started = await Promise.all(
      stations.map(({ deviceNo }) => start(memberId, deviceNo, { limitBy: '1', amount: '3.00' })),
    )
    expect(started.map(({ held }) => held).toSorted()).toEqual(['0.00', '3.00'])
    expect(await api.sql('select order_id from plan_use where pass_id = $1', [passId])).toHaveLength(1)
    expect(await passes(memberId)).toMatchObject([{ inUse: true }])
    for (const [at, { deviceId }] of stations.entries()) {
      const orderNo = started[at]?.orderNo ?? ''
      await ended(orderNo, 2)
      await api.sql("update charging_order set started_at = now() - interval '2 hours' where id = $1", [orderNo])
      await bill(deviceId, orderNo)
      expect((await ended(orderNo, 3)).total).toBe(started[at]?.held === '0.00' ? '0.00' : '0.51')
    }
  })

  it('is limited by day and by month: the next one pays the tariff', async () => {
    for (const terms of [{ dayTimes: 1 }, { dayTimes: 5, monthTimes: 1 }]) {
      const { memberId } = await holder(terms)
      expect(await charged(memberId)).toMatchObject({ total: '0.00' })
      expect(await charged(memberId)).toMatchObject({ total: '0.51', discount: '0.00' })
    }
  })

  it('belongs to the day in Asia/Shanghai on which it began', async () => {
    const { memberId, passId } = await holder({ dayTimes: 1 })
    const done = await charged(memberId)
    const [use] = await api.sql<{ fits: boolean }>(
      `select used_on = (to_timestamp(((order_id >> 22) + 1735689600000) / 1000.0) at time zone 'Asia/Shanghai')::date as fits
       from plan_use where order_id = $1`,
      [done.orderNo],
    )
    expect(use).toEqual({ fits: true })
    // The same use, yesterday: today has its own.
    await api.sql('update plan_use set used_on = used_on - 1 where pass_id = $1', [passId])
    expect(await charged(memberId)).toMatchObject({ total: '0.00' })
    expect(await charged(memberId)).toMatchObject({ total: '0.51' })
  })

  it('gives the use back when it failed, covered nothing, or lasted less than three minutes', async () => {
    const { memberId, passId } = await holder({ dayTimes: 1 })
    expect(await charged(memberId, { durationS: 0, energyWh: 0, maxPowerDw: 0 })).toMatchObject({ total: '0.00' })
    expect(await charged(memberId, { durationS: 179, energyWh: 20 })).toMatchObject({ total: '0.00' })
    expect(await api.sql('select from plan_use where pass_id = $1 and returned_at is null', [passId])).toEqual([])
    expect(await charged(memberId, { durationS: 180, energyWh: 20 })).toMatchObject({ total: '0.00' })
    expect(await charged(memberId)).toMatchObject({ total: '0.51' })
  })

  it('has no pass before its first day, after its last day, or at a site where it does not apply', async () => {
    const cases: [string, Parameters<typeof makeMonthlyPlan>[1], Parameters<typeof makeMonthlyPlan>[2], number][] = [
      ['begins tomorrow', { organiseId: green.id }, {}, -1],
      ['ended yesterday', { organiseId: green.id }, { days: 5 }, 5],
      ['of other sites', { organiseId: green.id }, { siteIds: [swift.siteId] }, 0],
    ]
    for (const [what, place, terms, ago] of cases) {
      const memberId = await member()
      await makePass(api, memberId, await makeMonthlyPlan(api, place, terms), ago)
      expect(await charged(memberId), what).toMatchObject({ total: '0.51' })
    }
    // At its own site, below its own agent, and on its last day it has one.
    const fitting: [Parameters<typeof makeMonthlyPlan>[1], Parameters<typeof makeMonthlyPlan>[2], number][] = [
      [{ organiseId: green.id }, { siteIds: [green.siteId] }, 0],
      [{ organiseId: green.id, agentId: green.agentId }, {}, 0],
      [{ organiseId: green.id }, { days: 5 }, 4],
    ]
    for (const [place, terms, ago] of fitting) {
      const memberId = await member()
      await makePass(api, memberId, await makeMonthlyPlan(api, place, terms), ago)
      expect(await charged(memberId)).toMatchObject({ total: '0.00' })
    }
    await earn()
  })

  it('whose bill waits for a review frees the pass for the next charge', async () => {
    const { memberId, passId } = await holder({ dayTimes: 3 })
    const { deviceId, orderNo } = await charging(memberId)
    await bill(deviceId, orderNo, { energyWh: 9000 })
    await ended(orderNo, 5)
    expect(await passes(memberId)).toMatchObject([{ inUse: false }])
    expect(await charged(memberId)).toMatchObject({ total: '0.00' })
    // The day waits for the bill, but not for ever.
    await daysLater(passId, 3)
    await earn()
    expect(await deferred(passId)).toBe(3000n)
    await daysLater(passId, 6)
    await earn()
    expect(await deferred(passId)).toBe(2100n)
  })
})

describe('the income of a pass', () => {
  it('belongs day by day to the sites by what the pass covered, and to the organisation without a use', async () => {
    const memberId = await member(0n)
    const planId = await makeMonthlyPlan(api, { organiseId: green.id }, { priceFen: 1000, days: 3 })
    await buy(memberId, planId)
    const passId = await passOf(memberId)
    const other = await otherSite()
    await charged(memberId)
    const second = await charged(memberId)
    // The second charge was at another site.
    await api.sql('update plan_use set site_id = $2 where order_id = $1', [second.orderNo, other])
    const before = [await siteEarned(), await organiseEarned()] as const
    await earn()
    expect(await deferred(passId)).toBe(1000n)
    await daysLater(passId, 1)
    // Two workers at once, and again: the day is income once.
    await Promise.all([earnPasses(pools[0]), earnPasses(pools[1])])
    await earn()
    expect(await deferred(passId)).toBe(667n)
    // 3.33 in equal parts; the odd fen belongs to the first.
    expect((await siteEarned()) - before[0]).toBe(167n)
    expect(await accountSum(api, green.id, 24, other)).toBe(166n)
    await daysLater(passId, 5)
    await earn()
    expect(await deferred(passId)).toBe(0n)
    expect((await organiseEarned()) - before[1]).toBe(667n)
    expect(await api.sql('select income_fen, income_days from member_plan where id = $1', [passId])).toEqual([
      { income_fen: '1000', income_days: 3 },
    ])
    const [sums] = await api.sql('select count(*)::int as postings from posting where kind = 12 and ref = $1', [passId])
    expect(sums).toEqual({ postings: 3 })
  })

  it('never exceeds the price, however much is charged', async () => {
    const memberId = await member(0n)
    const planId = await makeMonthlyPlan(api, { organiseId: green.id }, { priceFen: 10, days: 2, dayTimes: 20 })
    const { passId } = await makePass(api, memberId, planId)
    const before = await siteEarned()
    for (let n = 0; n < 3; n++) expect(await charged(memberId)).toMatchObject({ total: '0.00', discount: '0.51' })
    await daysLater(passId, 2)
    await earn()
    expect((await siteEarned()) - before).toBe(5n)
    expect(await deferred(passId)).toBe(0n)
  })

  it('is proved: a wrong counter, missing money and a late pass are found', async () => {
    const memberId = await member(0n)
    const planId = await makeMonthlyPlan(api, { organiseId: green.id }, { priceFen: 3000, days: 30 })
    const { passId } = await makePass(api, memberId, planId, 5)
    await earn()
    expect(await deferred(passId)).toBe(2500n)
    const breaks = () => api.sql<{ what: string; ref: string }>('select what, ref from app.pass_breaks()')
    expect(await breaks()).toEqual([])
    await api.sql('update member_plan set income_days = 6, income_fen = 600 where id = $1', [passId])
    expect(await breaks()).toEqual([{ what: 'pass', ref: passId }])
    await api.sql('update member_plan set income_days = 5, income_fen = 500 where id = $1', [passId])
    await api.sql('update account set balance_fen = balance_fen + 1 where kind = 54 and owner_id = $1', [passId])
    expect(await breaks()).toEqual([{ what: 'pass', ref: passId }])
    await api.sql('update account set balance_fen = balance_fen - 1 where kind = 54 and owner_id = $1', [passId])
    await daysLater(passId, 15)
    expect(await breaks()).toEqual([{ what: 'pass late', ref: passId }])
    await earn()
    expect(await breaks()).toEqual([])
    // The database itself refuses an income that does not fit the days.
    await expect(api.sql('update member_plan set income_fen = 1 where id = $1', [passId])).rejects.toThrow(/check/)
  })

  it('shows in the account of the pass', async () => {
    const memberId = await member(0n)
    const planId = await makeMonthlyPlan(api, { organiseId: green.id })
    const { passId } = await makePass(api, memberId, planId)
    const rows = await api.sql(
      'select organise_id, agent_id, site_id, summed from account where kind = 54 and owner_id = $1',
      [passId],
    )
    expect(rows).toEqual([{ organise_id: green.id, agent_id: null, site_id: null, summed: false }])
  })
})

async function otherSite(): Promise<string> {
  const [site] = await api.sql<{ id: string }>(
    "insert into site (organise_id, agent_id, name) values ($1, $2, '另一站点') returning id",
    [green.id, green.agentId],
  )
  return site?.id ?? ''
}
