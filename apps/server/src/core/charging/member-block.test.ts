import { connect } from '@nats-io/transport-node'
import { deviceBus, type DownEnvelope, messageEpochMs, type SwipeReply } from '@wattdeck/contract/events/device-bus.ts'
import { blacklist } from '@wattdeck/contract/member/blacklist.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openRechargeRefund } from '@wattdeck/contract/open/open-recharge-refund.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import type { OpenRefusal } from '@wattdeck/open-client/open-client.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeCard, type TestCard } from '../../../test/fixtures/cards.ts'
import { makeOpenApp, makePayer, makeStation } from '../../../test/fixtures/charging.ts'
import { makeModels } from '../../../test/fixtures/devices.ts'
import { makeBlock, makeMember, type Member, recharge } from '../../../test/fixtures/members.ts'
import { orderMenus } from '../../../test/fixtures/orders.ts'
import * as payments from '../../../test/fixtures/payments.ts'
import { proveLedger } from '../../../test/fixtures/refunds.ts'
import { gatewayPublisher } from '../../../test/harness/gateway-voice.ts'
import { makeFixture, makePerson } from '../../../test/harness/people.ts'
import { hangMs, until } from '../../../test/harness/until.ts'

/** What a block bars, through the open API, the console and the readers of cards. */
const there = await payments.startPayFixture()
const { api } = there
const { green, swift } = await makeFixture(api)
const models = await makeModels(api)
const client = await makeOpenApp(api, green.id)
await payments.makeTrader(there, green.id)
const worker = await there.startWorker()
const bus = await connect({ servers: api.config.natsUrl })
const voice = gatewayPublisher(bus, api.config.prefix)
beforeAll(async () => {
  // One member for each of the two apps of the organisation, which creates them.
  for (const channel of [1, 2] as const) await makeMember(api, { organiseId: green.id, channel })
})
afterEach(() => proveLedger(api))
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

const [noCharge, noRecharge] = ['409 该用户已被列入黑名单，不能充电', '409 该用户已被列入黑名单，不能充值']
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: OpenRefusal) => `${error.status} ${error.message}`,
  )
const requestStart = (memberId: string, deviceNo: string) =>
  client.call(openCharging.start, { body: { memberId, deviceNo, portNo: '1', limitBy: '1', amount: '3.00' } as never })
/** The outcome of a start at a free station. */
const starting = async (memberId: string) =>
  outcome(requestStart(memberId, (await makeStation(api, green, models)).deviceNo))
const recharging = (memberId: string) => outcome(payments.requestRecharge(client, memberId, '1.00'))

const block = async (body: object) => {
  const made = await api.call(green.admin.token, blacklist.add, {
    body: { scope: 3, reason: '恶意占位', ...body } as never,
  })
  expect(made.status).toBe(200)
  return made.data.id
}
const lift = (id: string, token = green.admin.token) =>
  api.call(token, blacklist.lift, { body: { id, reason: '已沟通' } })

let phones = 0
const newPhone = () => `138${String(process.pid % 10_000).padStart(4, '0')}${String(++phones).padStart(4, '0')}`
async function memberWith(more: { phone?: string; channel?: 1 | 2 } = {}): Promise<Member> {
  const member = await makeMember(api, { organiseId: green.id, ...more })
  await recharge(api, member, 1000)
  return member
}
const unionOf = ({ openId }: Member) => `u${openId}`
const appId = (channel: 1 | 2) => `wx${green.id}_${channel}`
const register = (body: object) =>
  client.call(openCharging.saveMember, {
    body: { appId: appId(2), openId: crypto.randomUUID(), nickname: '会员', ...body } as never,
  })

let messages = 0
async function swipe(deviceId: string, { chip }: TestCard, more: object = {}, port: number | undefined = 1) {
  const id = String((BigInt(Date.now() - messageEpochMs) << 22n) | BigInt(++messages))
  const ask = { id, deviceId, key: `swipe:${messages}`, swipe: { kind: 'swipe', card: chip, port }, ...more }
  const reply = await bus.request(deviceBus.swipe(api.config.prefix), JSON.stringify(ask), { timeout: hangMs })
  return reply.json<SwipeReply>()
}
const ordersOf = (card: TestCard) =>
  api.sql<{ held: string }>(
    'select held_paid_fen + held_gift_fen as held from charging_order where card_id = $1 order by id',
    [card.id],
  )

const statusOf = (orderNo: string, status: number) =>
  until(async () => {
    const found = await client.call(openCharging.order, { params: { orderNo } })
    return found.status === status ? found : undefined
  })
/** Every device obeys its commands, except those that a test names. */
const silent = new Set<string>()
const commands = bus.subscribe(deviceBus.down(api.config.prefix, 9))
void (async () => {
  for await (const message of commands) {
    const { items } = message.json<DownEnvelope>()
    message.respond(JSON.stringify({ absent: [] }))
    const done = { kind: 'commandResult', ok: true, carriedOut: true }
    await voice.publish(
      items.filter(({ d }) => !silent.has(d)).map(({ id, d }) => voice.item(d, { ...done, commandId: id })),
    )
  }
})()

describe('a blocked person', () => {
  it('starts no charge and no recharge by the open API until the block is lifted', async () => {
    const { id } = await memberWith()
    const blockId = await block({ memberId: id })
    expect(await starting(id)).toBe(noCharge)
    expect(await recharging(id)).toBe(noRecharge)
    expect(await api.sql('select from charging_order where member_id = $1', [id])).toEqual([])
    expect(await api.sql('select from recharge_order where member_id = $1', [id])).toEqual([])
    expect((await lift(blockId)).status).toBe(200)
    expect(await starting(id)).toBe('accepted')
    expect(await recharging(id)).toBe('accepted')
  })

  it('is barred only from the act that the scope names', async () => {
    const [chargeOnly, rechargeOnly] = [await memberWith(), await memberWith()]
    await block({ memberId: chargeOnly.id, scope: 1 })
    await block({ memberId: rechargeOnly.id, scope: 2 })
    expect([await starting(chargeOnly.id), await recharging(chargeOnly.id)]).toEqual([noCharge, 'accepted'])
    expect([await starting(rechargeOnly.id), await recharging(rechargeOnly.id)]).toEqual(['accepted', noRecharge])
  })

  it('is free again when the block has expired, and can be blocked anew', async () => {
    const { id } = await memberWith()
    await makeBlock(api, green, { memberId: id, expired: true })
    expect([await starting(id), await recharging(id)]).toEqual(['accepted', 'accepted'])
    await block({ memberId: id })
    expect([await starting(id), await recharging(id)]).toEqual([noCharge, noRecharge])
  })

  it('stays blocked with another openid of the same phone', async () => {
    const phone = newPhone()
    const { id } = await memberWith({ phone })
    await block({ memberId: id })
    const again = await register({ phone })
    expect(await starting(again.memberId)).toBe(noCharge)
    expect(await recharging(again.memberId)).toBe(noRecharge)
    // The account loses its phone, and a new one is registered with it.
    await api.sql('update member set phone = null where id = $1', [id])
    const { memberId } = await register({ phone })
    expect(memberId).not.toBe(id)
    expect(await starting(memberId)).toBe(noCharge)
  })

  it('is blocked from the first registration with a phone that was blocked before', async () => {
    const phone = newPhone()
    await block({ phone })
    const { memberId } = await register({ phone })
    expect([await starting(memberId), await recharging(memberId)]).toEqual([noCharge, noRecharge])
  })

  it('stays blocked with another identity of the same unionid', async () => {
    const first = await memberWith()
    await block({ memberId: first.id })
    const { memberId } = await register({ unionId: unionOf(first) })
    expect(await starting(memberId)).toBe(noCharge)
    // Two accounts of one person that were never joined.
    const second = await memberWith({ channel: 2 })
    expect(await starting(second.id)).toBe('accepted')
    await api.sql('update member_identity set union_id = $2 where member_id = $1', [second.id, unionOf(first)])
    expect([await starting(second.id), await recharging(second.id)]).toEqual([noCharge, noRecharge])
  })

  it('is refused at a reader of cards with a bound card, and the member of a blocked card by the open API', async () => {
    const [member, holder] = [await memberWith(), await memberWith()]
    const bound = await makeCard(api, { organiseId: green.id, paidFen: 1000, memberId: member.id })
    const named = await makeCard(api, { organiseId: green.id, paidFen: 1000, memberId: holder.id })
    const loose = await makeCard(api, { organiseId: green.id, paidFen: 1000 })
    await block({ memberId: member.id })
    await block({ cardNo: named.cardNo })
    await block({ cardNo: loose.cardNo })
    for (const card of [bound, named, loose]) {
      const { deviceId } = await makeStation(api, green, models)
      expect(await swipe(deviceId, card)).toEqual({ account: 'frozen', balanceFen: 1000, orderNo: null })
      expect(await swipe(deviceId, card, {}, undefined)).toMatchObject({ account: 'frozen', orderNo: null })
      expect(await ordersOf(card)).toEqual([])
    }
    expect([await starting(holder.id), await recharging(holder.id)]).toEqual([noCharge, noRecharge])
  })

  it('pays no charge that a charge point has started without an answer: the card is refused, no money is reserved', async () => {
    const card = await makeCard(api, { organiseId: green.id, paidFen: 1000 })
    const { deviceId } = await makeStation(api, green, models)
    await api.sql("update device set adapter = 'ocpp16' where id = $1", [deviceId])
    await block({ cardNo: card.cardNo })
    expect(await swipe(deviceId, card, { begun: 'begun1' })).toMatchObject({ account: 'frozen', balanceFen: 1000 })
    expect(await ordersOf(card)).toEqual([{ held: '0' }])
  })

  it('is refused when an agent’s staff starts the charge, who does not see the organisation’s block', async () => {
    const phone = newPhone()
    const { id } = await memberWith({ phone })
    await block({ memberId: id })
    const { token } = await makePerson(api, {
      organiseId: green.id,
      agentId: green.agentId,
      loginName: 'green_agent_counter',
      menus: orderMenus,
    })
    const { deviceNo } = await makeStation(api, green, models)
    expect((await api.call(token, consumeOrder.sendCode, { body: { phone, deviceNo } })).status).toBe(200)
    const [sent] = await api.sql<{ code: string }>(
      "select params ->> 'code' as code from sms_message where phone = $1 and template = 'SMS_CHARGE'",
      [phone],
    )
    const body = { deviceNo, portNo: '1', phone, code: sent?.code, limitBy: '1', amount: '3.00' } as never
    const { status, message } = await api.call(token, consumeOrder.start, { body })
    expect(`${status} ${message}`).toBe(noCharge)
  })

  it('of one organisation is unknown to another', async () => {
    const phone = newPhone()
    const foreign = await makeMember(api, { organiseId: swift.id, phone })
    await makeBlock(api, swift, { memberId: foreign.id, phone })
    const own = await memberWith({ phone })
    expect([await starting(own.id), await recharging(own.id)]).toEqual(['accepted', 'accepted'])
  })
})

describe('a block', () => {
  it('leaves a running charge alone: it is billed, and the rest of its reservation is released', async () => {
    const memberId = await makePayer(api, green.id, 1000n)
    const { deviceId, deviceNo } = await makeStation(api, green, models)
    const { orderNo } = await requestStart(memberId, deviceNo)
    await statusOf(orderNo, 2)
    await block({ memberId })
    await api.sql("update charging_order set started_at = now() - interval '1 hour' where id = $1", [orderNo])
    await voice.publish([
      voice.item(
        deviceId,
        {
          kind: 'settlement',
          port: 1,
          durationS: 3600,
          energyWh: 500,
          maxPowerDw: 5200,
          stopReason: { name: 'full', raw: 1 },
        },
        { r: { key: 'bill:blocked', at: Math.floor(Date.now() / 1000) } },
      ),
    ])
    const order = await statusOf(orderNo, 3)
    const left = ((1000 - Math.round(Number(order.total) * 100)) / 100).toFixed(2)
    expect(Number(order.total)).toBeGreaterThan(0)
    expect(await client.call(openCharging.member, { params: { memberId } })).toMatchObject({
      balance: left,
      held: '0.00',
    })
  })

  it('leaves the card of a running charge alone', async () => {
    const card = await makeCard(api, { organiseId: green.id, paidFen: 1000 })
    const { deviceId } = await makeStation(api, green, models)
    // The start stays unanswered: while it is pending, another swipe gets the same answer.
    silent.add(deviceId)
    expect(await swipe(deviceId, card)).toMatchObject({ account: 'good' })
    await block({ cardNo: card.cardNo })
    expect(await swipe(deviceId, card)).toMatchObject({ account: 'good' })
    expect(await ordersOf(card)).toHaveLength(1)
  })

  it('leaves a requested recharge and a refund of the member’s own money alone', async () => {
    const memberId = await makePayer(api, green.id, 0n)
    const rechargeNo = await payments.requestRecharge(client, memberId, '2.00')
    const codeUrl = await payments.codeOf(client, rechargeNo)
    await block({ memberId })
    there.sandbox.pay({ codeUrl })
    await payments.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    expect(await client.call(openCharging.member, { params: { memberId } })).toMatchObject({ balance: '2.00' })
    const body = { memberId, rechargeNo, amount: '2.00', reason: '不再使用' } as never
    const { refundNo } = await client.call(openRechargeRefund.add, { body })
    expect(await client.call(openRechargeRefund.read, { query: { refundNo } })).toMatchObject({ amount: '2.00' })
  })
})
