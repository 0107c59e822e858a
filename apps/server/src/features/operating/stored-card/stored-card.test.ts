import { connect } from '@nats-io/transport-node'
import { deviceBus, messageEpochMs, type SwipeReply } from '@wattdeck/contract/events/device-bus.ts'
import { cardSwipe } from '@wattdeck/contract/operating/card-swipe.ts'
import { offlineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { storedCardState } from '@wattdeck/contract/operating/stored-card-codes.ts'
import { storedCard } from '@wattdeck/contract/operating/stored-card.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { cardMoney, makeCard, makeReplacement, type TestCard } from '../../../../test/fixtures/cards.ts'
import { makeStation } from '../../../../test/fixtures/charging.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { makeBlock, makeMember, postLines } from '../../../../test/fixtures/members.ts'
import { borrowedSession, proveLedger } from '../../../../test/fixtures/refunds.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture, makePerson } from '../../../../test/harness/people.ts'
import { startWorkerProcess } from '../../../../test/harness/process.ts'
import { hangMs } from '../../../../test/harness/until.ts'

const api = await startApi()
const { green, swift, platform } = await makeFixture(api)
const models = await makeModels(api)
const worker = await startWorkerProcess(api.config)
const bus = await connect({ servers: api.config.natsUrl })
const menus = ['9', '9.1', '9.3', '9.12', '7', '7.2', '7.3']
const clerk = await makePerson(api, { organiseId: green.id, loginName: 'card_clerk', menus })
const checker = await makePerson(api, { organiseId: green.id, loginName: 'card_checker', menus })
afterEach(() => proveLedger(api))
afterAll(async () => {
  await bus.close()
  await worker.stop()
})

let numbers = 0
/** Unused numbers of a card. */
const fresh = () => {
  const no = 700_000 + ++numbers
  return { cardNo: `88${no}`, chipNo: `00F${no}A` }
}
const canonical = (chip: string) => chip.toLowerCase().replace(/^0+/, '')
const issue = (body: object, by: { token: string } = clerk) =>
  api.call(by.token, storedCard.issue, { body: body as never })
const replace = (id: string, more: object = {}, by: { token: string } = clerk) =>
  api.call(by.token, storedCard.replace, { body: { id, ...fresh(), reason: '卡片损坏', ...more } as never })
const approve = (replacementId: string, by: { token: string } = checker) =>
  api.call(by.token, storedCard.approve, { body: { replacementId } })
const lose = (id: string, by: { token: string } = clerk) =>
  api.call(by.token, storedCard.reportLoss, { body: { id, reason: '遗失' } })
const restore = (id: string, by: { token: string } = clerk) =>
  api.call(by.token, storedCard.cancelReportLoss, { body: { id, reason: '已找到' } })
const cancel = (id: string, by: { token: string } = clerk) =>
  api.call(by.token, storedCard.cancel, { body: { id, reason: '退卡' } })
const rowsOf = async (query: object, by: { token: string } = clerk) =>
  (await api.call(by.token, storedCard.list, { query: { pageSize: 500, ...query } as never })).data.rows
const rowOf = async ({ cardNo }: { cardNo: string }) => (await rowsOf({ keyword: cardNo }))[0]
const waitingOf = async (card: TestCard) => (await rowOf(card))?.waiting?.id ?? ''
const detailOf = async (id: string, by: { token: string } = clerk) =>
  api.call(by.token, storedCard.detail, { params: { id } })
const stepsOf = async (id: string) => (await detailOf(id)).data.steps.map(({ kind }) => kind)
const byNumber = async (cardNo: string): Promise<TestCard> => {
  const [row] = await api.sql<{ id: string; chip: string }>(
    'select id, chip_no as chip from stored_card where organise_id = $1 and card_no = $2',
    [green.id, cardNo],
  )
  return { id: row?.id ?? '', cardNo, chip: row?.chip ?? '', organiseId: green.id }
}
const card = (params: object = {}) =>
  makeCard(api, { organiseId: green.id, siteId: green.siteId, ...params } as Parameters<typeof makeCard>[1])

let messages = 0
async function swipe({ chip }: { chip: string }, deviceId?: string) {
  const device = deviceId ?? (await makeStation(api, green, models)).deviceId
  const id = String((BigInt(Date.now() - messageEpochMs) << 22n) | BigInt(++messages))
  const ask = { id, deviceId: device, key: `swipe:${messages}`, swipe: { kind: 'swipe', card: chip, port: 1 } }
  const reply = await bus.request(deviceBus.swipe(api.config.prefix), JSON.stringify(ask), { timeout: hangMs })
  return reply.json<SwipeReply>()
}
const { normal, lost, cancelled, stock, replaced } = storedCardState.code

describe('a stranger', () => {
  it('neither sees nor changes a card of another organisation', async () => {
    const foreign = await makeCard(api, { organiseId: swift.id, paidFen: 500 })
    const replacement = await makeReplacement(api, foreign, swift.admin.id)
    expect(await rowsOf({ keyword: foreign.cardNo })).toEqual([])
    expect((await detailOf(foreign.id)).status).toBe(404)
    const statement = await api.call(clerk.token, storedCard.statement, { params: { id: foreign.id } })
    expect(statement.status).toBe(404)
    for (const reply of [
      await lose(foreign.id),
      await restore(foreign.id),
      await cancel(foreign.id),
      await replace(foreign.id),
      await approve(replacement),
    ])
      expect(reply.status).toBe(404)
    const member = await makeMember(api, { organiseId: swift.id })
    expect((await issue({ ...fresh(), memberId: member.id })).status).toBe(404)
    expect((await issue({ ...fresh(), organiseId: swift.id })).status).toBe(404)
    expect((await cardMoney(api, foreign)).paid).toBe(500)
  })

  it('at an agent of another branch neither sees nor replaces a card', async () => {
    const elsewhere = await makeCard(api, { organiseId: green.id })
    expect(await rowsOf({ keyword: elsewhere.cardNo }, green.agent)).toEqual([])
    expect((await replace(elsewhere.id, {}, green.agent)).status).toBe(404)
    expect((await lose(elsewhere.id, green.agent)).status).toBe(404)
  })
})

describe('an issue', () => {
  it('gives a card without money, with or without a holder', async () => {
    const member = await makeMember(api, { organiseId: green.id, nickname: '李晓' })
    const [named, loose] = [fresh(), fresh()]
    const { data } = await issue({ ...named, memberId: member.id })
    expect((await issue(loose)).status).toBe(200)
    expect(await rowOf(named)).toMatchObject({ state: normal, holding: 1, balance: '0.00', gift: '0.00' })
    expect(await rowOf(loose)).toMatchObject({ state: normal, holding: 2, memberId: null })
    expect(await stepsOf(data.id)).toEqual([2])
    expect(await cardMoney(api, await byNumber(named.cardNo))).toEqual({ paid: 0, gift: 0, held: 0 })
    expect(await swipe(await byNumber(named.cardNo))).toMatchObject({ account: 'tooLittleMoney', orderNo: null })
  })

  it('refuses a card or chip number that is in use, however a reader writes it, also of a cancelled card', async () => {
    const first = fresh()
    const { data } = await issue(first)
    expect((await cancel(data.id)).status).toBe(200)
    const taken = { status: 409, message: '卡号或物理卡号已被使用，请核对' }
    expect(await issue({ ...fresh(), cardNo: first.cardNo })).toMatchObject(taken)
    for (const chipNo of [first.chipNo, canonical(first.chipNo), `0000${first.chipNo}`])
      expect(await issue({ ...fresh(), chipNo })).toMatchObject(taken)
    expect((await issue({ ...fresh(), chipNo: '00000000' })).status).toBe(422)
    // Another organisation has its own cards.
    expect((await issue(first, swift.admin)).status).toBe(200)
  })

  it('of one stock card by two people at the same moment succeeds once', async () => {
    const number = fresh()
    await api.sql('insert into stored_card (organise_id, card_no, chip_no, in_stock) values ($1, $2, $3, true)', [
      green.id,
      number.cardNo,
      canonical(number.chipNo),
    ])
    expect(await rowOf(number)).toMatchObject({ state: stock, issuedAt: null })
    expect(await swipe({ chip: number.chipNo })).toMatchObject({ account: 'notRegistered' })
    const wrong = await issue({ ...number, chipNo: 'ABCD1234' })
    expect(wrong).toMatchObject({ status: 422, message: '物理卡号与入库时登记的不一致' })
    const replies = await Promise.all([issue({ cardNo: number.cardNo }), issue({ cardNo: number.cardNo }, checker)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await rowOf(number)).toMatchObject({ state: normal })
  })
})

describe('a lost card', () => {
  it('starts nothing from the next swipe on; its running charge goes on; found again it charges', async () => {
    const own = await card({ paidFen: 2000 })
    const { deviceId } = await makeStation(api, green, models)
    expect(await swipe(own, deviceId)).toMatchObject({ account: 'good' })
    expect((await lose(own.id)).message).toBe('已挂失，下一次刷卡起不能充电；正在进行的充电不受影响')
    expect(await rowOf(own)).toMatchObject({ state: lost, charging: true })
    const [open] = await api.sql('select order_id from open_charge where card_id = $1', [own.id])
    expect(open).toBeDefined()
    expect((await lose(own.id)).status).toBe(409)

    const other = await card({ paidFen: 2000 })
    await lose(other.id)
    expect(await swipe(other)).toMatchObject({ account: 'frozen', orderNo: null })
    expect((await restore(other.id)).status).toBe(200)
    expect((await restore(other.id)).status).toBe(409)
    expect(await swipe(other)).toMatchObject({ account: 'good' })
    expect(await stepsOf(other.id)).toEqual([4, 3])
  })
})

describe('a replacement', () => {
  it('of a card without money is done at once; the old card starts nothing', async () => {
    const own = await card()
    const next = fresh()
    const reply = await replace(own.id, next)
    expect(reply.data).toEqual({ waits: false })
    const [old, now] = [await rowOf(own), await rowOf(next)]
    expect(old).toMatchObject({ state: replaced })
    expect(now).toMatchObject({ state: normal })
    const { data } = await detailOf(own.id)
    expect(data).toMatchObject({ replacedBy: { cardNo: next.cardNo }, replaces: null })
    expect((await detailOf(now?.id ?? '')).data).toMatchObject({ replacedBy: null, replaces: { cardNo: own.cardNo } })
    expect(await swipe(own)).toMatchObject({ account: 'notRegistered' })
  })

  it('of a card with money waits for another person and then moves all of it in one posting', async () => {
    const member = await makeMember(api, { organiseId: green.id })
    const own = await card({ paidFen: 3000, giftFen: 400, memberId: member.id })
    const next = fresh()
    expect((await replace(own.id, next)).data).toEqual({ waits: true })
    expect(await byNumber(next.cardNo)).toMatchObject({ id: '' })
    expect(await rowsOf({ waits: 'true', keyword: own.cardNo })).toHaveLength(1)
    expect((await replace(own.id)).message).toBe('该卡已有待审核的补卡申请')
    expect((await cancel(own.id)).status).toBe(409)

    const request = await waitingOf(own)
    expect(await approve(request, clerk)).toMatchObject({ status: 409, message: '不能审核自己提交的补卡' })
    const borrowed = { token: await borrowedSession(api, checker.id, platform.root.id) }
    expect((await approve(request, borrowed)).status).toBe(403)
    expect((await approve(request)).status).toBe(200)
    expect((await approve(request)).status).toBe(409)

    const now = await byNumber(next.cardNo)
    expect(await cardMoney(api, own)).toEqual({ paid: 0, gift: 0, held: 0 })
    expect(await cardMoney(api, now)).toEqual({ paid: 3000, gift: 400, held: 0 })
    expect(await rowOf(next)).toMatchObject({ state: normal, memberId: member.id, balance: '30.00', gift: '4.00' })
    const postings = await api.sql('select from posting where key = $1', [`cardReplacement/${request}`])
    expect(postings).toHaveLength(1)
    expect(await stepsOf(own.id)).toEqual([6, 5])
    expect((await detailOf(own.id)).data.steps[0]).toMatchObject({ moved: '34.00' })
    expect(await swipe(own)).toMatchObject({ account: 'notRegistered', orderNo: null })
    expect(await swipe(now)).toMatchObject({ account: 'good', balanceFen: 3400 })
    expect((await api.call(clerk.token, storedCard.statement, { params: { id: now.id } })).data.rows).toHaveLength(2)
  })

  it('twice at the same moment gives one card, requested and approved', async () => {
    const empty = await card()
    const both = await Promise.all([replace(empty.id), replace(empty.id, {}, checker)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const full = await card({ paidFen: 900 })
    const asked = await Promise.all([replace(full.id), replace(full.id, {}, checker)])
    expect(asked.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const third = await makePerson(api, { organiseId: green.id, loginName: 'card_third', menus })
    const request = await waitingOf(full)
    const fourth = await makePerson(api, { organiseId: green.id, loginName: 'card_fourth', menus })
    const approved = await Promise.all([approve(request, third), approve(request, fourth)])
    expect(approved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const made = await api.sql<{ id: string }>(
      'select next.id from stored_card old join stored_card next on next.id = old.replaced_by_id where old.id = any($1)',
      [[empty.id, full.id]],
    )
    expect(made).toHaveLength(2)
    expect((await cardMoney(api, full)).paid).toBe(0)
  })

  it('is refused while the card charges, is barred, cancelled or in stock, and for a number in use', async () => {
    const charging = await card({ paidFen: 2000 })
    await swipe(charging)
    expect((await replace(charging.id)).message).toBe('该卡正在充电，充电结束后再补卡')
    const barred = await card({ paidFen: 100 })
    await makeBlock(api, green, { cardId: barred.id })
    expect((await replace(barred.id)).message).toBe('该卡已被列入黑名单，解除后再补卡')
    const ended = await card()
    await cancel(ended.id)
    expect((await replace(ended.id)).message).toBe('该卡已注销，不能补卡')
    const own = await card()
    expect((await replace(own.id, { chipNo: charging.chip })).status).toBe(409)
    expect((await replace(own.id, { cardNo: charging.cardNo })).status).toBe(409)
    expect((await replace(own.id, { cardNo: own.cardNo, chipNo: own.chip })).status).toBe(409)
    expect((await rowOf(own))?.state).toBe(normal)
  })

  it('is not approved by the holder, and can be rejected or withdrawn without an effect', async () => {
    const holder = await makeMember(api, { organiseId: green.id, phone: checker.phone })
    const own = await card({ paidFen: 100, memberId: holder.id })
    await replace(own.id)
    const request = await waitingOf(own)
    expect(await approve(request)).toMatchObject({ status: 409, message: '不能审核自己的储值卡' })
    const turnDown = (by: { token: string }) =>
      api.call(by.token, storedCard.turnDown, { body: { replacementId: request, reason: '证件不符' } })
    expect((await turnDown(clerk)).status).toBe(409)
    expect((await turnDown(checker)).status).toBe(200)
    await replace(own.id)
    const again = await waitingOf(own)
    const withdraw = (by: { token: string }) =>
      api.call(by.token, storedCard.withdraw, { body: { replacementId: again } })
    expect((await withdraw(checker)).status).toBe(409)
    expect((await withdraw(clerk)).status).toBe(200)
    expect(await rowOf(own)).toMatchObject({ state: normal, waiting: null, balance: '1.00' })
    expect(await stepsOf(own.id)).toEqual([8, 5, 7, 5])
  })

  it('cannot be lost to a recharge at the same moment: the money is on the new card or was never taken', async () => {
    const own = await card()
    const { data } = await api.call(clerk.token, offlineRecharge.add, {
      body: { cardId: own.id, amount: '10', way: 1 } as never,
    })
    const next = fresh()
    const [recharged] = await Promise.all([
      api.call(checker.token, offlineRecharge.approve, { body: { id: data.id } }),
      replace(own.id, next),
    ])
    const now = await byNumber(next.cardNo)
    const moved = now.id !== ''
    const onOld = (await cardMoney(api, own)).paid
    if (moved) expect([onOld, recharged.status]).toEqual([0, 409])
    else expect([onOld, recharged.status]).toEqual([1000, 200])
  })

  it('takes refunds of earlier charges along', async () => {
    const own = await card({ paidFen: 2000 })
    const { deviceId } = await makeStation(api, green, models)
    await swipe(own, deviceId)
    const [order] = await api.sql<{ id: string }>('select id from charging_order where card_id = $1', [own.id])
    const id = order?.id ?? ''
    // Billed by hand: electricity of three yuan, the rest goes back to the card.
    await api.sql('delete from open_charge where order_id = $1', [id])
    const [held] = await api.sql<{ fen: number }>(
      'select held_paid_fen::int as fen from charging_order where id = $1',
      [id],
    )
    const fen = held?.fen ?? 0
    await postLines(
      api,
      green.id,
      'bill',
      [
        ['cardPaidHeld', own.id, -fen],
        ['cardPaid', own.id, fen - 300],
        ['siteElectricity', green.siteId, 300],
      ],
      id,
    )
    await api.sql(
      `update charging_order set status = 3, started_at = now(), ended_at = now(), settled_at = now(), total_fen = 300, electricity_fen = 300, service_fen = 0,
         paid_fen = 300, gift_fen = 0 where id = $1`,
      [id],
    )
    const next = fresh()
    await replace(own.id, next)
    expect((await approve(await waitingOf(own))).status).toBe(200)
    const asked = await api.call(green.admin.token, refundOrder.add, {
      body: { orderNo: id, amount: '3.00', way: 1, reason: '充电异常' } as never,
    })
    expect(asked.status).toBe(200)
    const approved = await api.call(checker.token, refundOrder.approve, { body: { id: asked.data.id } as never })
    expect(approved.status).toBe(200)
    expect((await cardMoney(api, own)).paid).toBe(0)
    expect((await cardMoney(api, await byNumber(next.cardNo))).paid).toBe(2000)
  })
})

describe('a cancellation', () => {
  it('needs a card without money, charge or waiting recharge, and is final', async () => {
    const rich = await card({ paidFen: 1 })
    expect(await cancel(rich.id)).toMatchObject({ status: 409, message: '该卡还有0.01元，余额为零才能注销' })
    const gifted = await card({ giftFen: 5 })
    expect((await cancel(gifted.id)).status).toBe(409)
    const charging = await card({ paidFen: 2000 })
    await swipe(charging)
    expect((await cancel(charging.id)).message).toBe('该卡正在充电，充电结束后再注销')
    const awaited = await card()
    await api.call(clerk.token, offlineRecharge.add, { body: { cardId: awaited.id, amount: '10', way: 1 } as never })
    expect((await cancel(awaited.id)).message).toBe('该卡有待审核的线下充值，请先处理')
    const own = await card()
    expect((await cancel(own.id)).status).toBe(200)
    expect((await cancel(own.id)).status).toBe(409)
    expect((await restore(own.id)).status).toBe(409)
    expect(await rowOf(own)).toMatchObject({ state: cancelled })
  })
})

describe('a recharge', () => {
  const cash = (id: string, amount: string) =>
    api.call(clerk.token, offlineRecharge.add, { body: { cardId: id, amount, way: 1 } as never })

  it('stays below the legal ceiling of named and anonymous cards that were issued here', async () => {
    const member = await makeMember(api, { organiseId: green.id })
    const [named, loose] = [fresh(), fresh()]
    const [ofMember, ofNobody] = [await issue({ ...named, memberId: member.id }), await issue(loose)]
    expect((await cash(ofNobody.data.id, '1000.01')).message).toContain('不记名卡余额不能超过1000.00元')
    expect((await cash(ofNobody.data.id, '1000')).status).toBe(200)
    expect((await cash(ofMember.data.id, '5000')).status).toBe(200)
    expect((await cash(ofMember.data.id, '0.01')).message).toContain('记名卡余额不能超过5000.00元')
  })

  it('of a card in stock or a replaced card is refused', async () => {
    const number = fresh()
    await api.sql('insert into stored_card (organise_id, card_no, chip_no, in_stock) values ($1, $2, $3, true)', [
      green.id,
      number.cardNo,
      canonical(number.chipNo),
    ])
    expect((await cash((await byNumber(number.cardNo)).id, '10')).message).toBe('库存卡没有发出，不能充值')
    const own = await card()
    await replace(own.id)
    expect((await cash(own.id, '10')).status).toBe(409)
  })
})

describe('the list', () => {
  it('masks the chip number, filters by state, holding and owner, and counts by state', async () => {
    const member = await makeMember(api, { organiseId: swift.id, phone: '13555556666' })
    const named = await makeCard(api, { organiseId: swift.id, siteId: swift.siteId, memberId: member.id, paidFen: 700 })
    const gone = await makeCard(api, { organiseId: swift.id, siteId: swift.siteId })
    await lose(gone.id, swift.admin)
    const seen = async (query: object) => (await rowsOf(query, swift.admin)).map(({ id }) => id)
    const [row] = await rowsOf({ keyword: '13555556666' }, swift.admin)
    expect(row).toMatchObject({ id: named.id, balance: '7.00', holderPhone: '135****6666' })
    expect(row?.chipNo).toBe(`****${named.chip.slice(-3)}`)
    expect(await seen({ holding: 1 })).toContain(named.id)
    expect(await seen({ holding: 2 })).not.toContain(named.id)
    expect(await seen({ state: lost })).toEqual([gone.id])
    expect(await seen({ siteId: swift.siteId })).toEqual(expect.arrayContaining([named.id, gone.id]))
    expect(await seen({ keyword: named.chip })).toEqual([])
    const { data } = await api.call(swift.admin.token, storedCard.states, { query: { siteId: swift.siteId } as never })
    expect(data.rows).toEqual(expect.arrayContaining([{ state: lost, count: 1 }]))
  })

  it('reveals a chip number with a reason, to those with the right only', async () => {
    const own = await card()
    const reveal = (by: { token: string; id: string }) =>
      api.call(by.token, session.verifyPermissions, {
        params: { userId: by.id },
        body: { kind: 'storedCard', rowId: own.id, field: 'chipNo', reason: '核对卡片' } as never,
      })
    expect((await reveal(clerk)).status).toBe(403)
    expect((await reveal(green.admin)).status).toBe(200)
  })
})

describe('the list of swipes', () => {
  it('shows each result with its reason, and unknown cards', async () => {
    const own = await card({ paidFen: 2000 })
    const { deviceId } = await makeStation(api, green, models)
    const [device] = await api.sql<{ no: string }>('select device_no as no from device where id = $1', [deviceId])
    await swipe({ chip: 'c0ffee01' }, deviceId)
    const broke = await card()
    await swipe(broke, deviceId)
    await swipe(own, deviceId)
    const rows = async (query: object, by: { token: string } = clerk) =>
      (await api.call(by.token, cardSwipe.list, { query: { pageSize: 100, ...query } as never })).data.rows
    const all = await rows({ deviceNo: device?.no })
    expect(all.map(({ result, account }) => [result, account])).toEqual([
      [1, 1],
      [3, 7],
      [3, 2],
    ])
    expect(all[0]).toMatchObject({ cardNo: own.cardNo, portNo: 1, balance: '20.00' })
    expect(all[0]?.orderNo).not.toBeNull()
    expect(all[2]).toMatchObject({ cardNo: null, cardId: null, chipNo: '****e01', orderNo: null })
    expect(await rows({ cardNo: own.cardNo })).toHaveLength(1)
    expect(await rows({ cardId: broke.id, result: 3 })).toHaveLength(1)
    expect(await rows({ cardId: broke.id, result: 1 })).toEqual([])
    expect(await rows({ deviceNo: device?.no }, swift.admin)).toEqual([])
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    expect(await rows({ cardId: own.id, from: today, to: today })).toHaveLength(1)
    expect(await rows({ cardId: own.id, to: '2025-12-31' })).toEqual([])
  })
})
