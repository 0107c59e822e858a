import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { offlineRecharge, offlineStatus } from '@wattdeck/contract/operating/offline-recharge.ts'
import { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { rechargeStatistics } from '@wattdeck/contract/order/recharge-statistics.ts'
import { describe, expect, it } from 'vitest'
import { cardMoney, makeCard } from '../../../../test/fixtures/cards.ts'
import { makeMember, type Member, postLines, recharge } from '../../../../test/fixtures/members.ts'
import { makeOfflineRecharge, makeUpload } from '../../../../test/fixtures/offline-recharges.ts'
import { accountSum, allBreaks } from '../../../../test/fixtures/payments.ts'
import { borrowedSession } from '../../../../test/fixtures/refunds.ts'
import { addPlan } from '../../../../test/fixtures/recharge-plan.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson } from '../../../../test/harness/people.ts'

const menus = ['9', '9.12', '7', '7.9', '7.10', '7.12', '6', '6.1']
const api = await startApi()
const fixture = await makeFixture(api)
const { green, swift } = fixture
const clerk = await makePerson(api, { organiseId: green.id, loginName: 'green_desk', menus })
const checker = await makePerson(api, { organiseId: green.id, loginName: 'green_checker', menus })
/** Every test that requests more than a little has its own clerk, whose limit of the day is untouched. */
let clerks = 0
const newClerk = (organiseId = green.id) => makePerson(api, { organiseId, loginName: `desk_${++clerks}`, menus })

const member = (): Promise<Member> =>
  makeMember(api, { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId })
const cash = (by: Actor, { id }: { id: string }, amount: string, wish: object = {}) =>
  api.call(by.token, offlineRecharge.add, { body: { memberId: id, amount, way: 1, ...wish } as never })
const cashForCard = (by: Actor, { id }: { id: string }, amount: string) =>
  api.call(by.token, offlineRecharge.add, { body: { cardId: id, amount, way: 1 } as never })
const approve = (by: { token: string }, id: string) => api.call(by.token, offlineRecharge.approve, { body: { id } })
const turnDown = (by: { token: string }, id: string) =>
  api.call(by.token, offlineRecharge.turnDown, { body: { id, reason: '没有收到款项' } })
const withdraw = (by: { token: string }, id: string) => api.call(by.token, offlineRecharge.withdraw, { body: { id } })
const rowOf = async (id: string) =>
  (await api.call(checker.token, offlineRecharge.list, { query: { pageSize: 500 } as never })).data.rows.find(
    (one) => one.id === id,
  )
const wallet = async ({ id: memberId }: Member) => {
  const { data } = await api.call(green.admin.token, memberInfo.info, { query: { memberId } })
  const [counted] = await api.sql<{ fen: string }>('select recharged_fen as fen from member where id = $1', [memberId])
  return [data.rechargeBalance, data.balance, (Number(counted?.fen) / 100).toFixed(2)]
}
const serialNo = (id: string) => `XC${id.padStart(8, '0')}`
const plans = new Map<string, string>()
/** A tier of the one plan of an organisation. */
async function tier(organiseId: string, payFen: number, giftFen: number) {
  const planId = plans.get(organiseId) ?? (await addPlan(api, { organiseId }, { tiers: [], giftValidDays: 30 })).planId
  plans.set(organiseId, planId)
  await api.sql(
    'insert into recharge_tier (organise_id, plan_id, pay_fen, gift_fen, status) values ($1, $2, $3, $4, 0)',
    [organiseId, planId, payFen, giftFen],
  )
}

describe('a stranger', () => {
  it('neither sees, finds, credits nor decides on a row of another organisation', async () => {
    const foreign = await makeMember(api, { organiseId: swift.id, phone: '13622223333' })
    const card = await makeCard(api, { organiseId: swift.id })
    const id = await makeOfflineRecharge(api, foreign.id, swift.admin.id)
    expect((await api.call(clerk.token, offlineRecharge.list)).data.rows).toEqual([])
    for (const [target, keyword] of [
      [1, foreign.id],
      [1, '13622223333'],
      [2, card.cardNo],
    ])
      expect(
        (await api.call(clerk.token, offlineRecharge.payees, { query: { target, keyword } as never })).data.rows,
      ).toEqual([])
    const quote = (query: object) => api.call(clerk.token, offlineRecharge.quote, { query: query as never })
    expect((await quote({ memberId: foreign.id, amount: '1' })).status).toBe(404)
    expect((await quote({ cardId: card.id, amount: '1' })).status).toBe(404)
    expect((await cash(clerk, foreign, '1')).status).toBe(404)
    expect((await cashForCard(clerk, card, '1')).status).toBe(404)
    expect((await approve(checker, id)).status).toBe(404)
    expect((await turnDown(checker, id)).status).toBe(404)
    expect((await withdraw(clerk, id)).status).toBe(404)
  })

  it('at an agent of another branch neither sees nor approves a recharge', async () => {
    const elsewhere = await makeMember(api, { organiseId: green.id })
    const { data } = await cash(clerk, elsewhere, '10')
    const seen = (await api.call(green.agent.token, offlineRecharge.list)).data.rows.map((one) => one.id)
    expect(seen).not.toContain(data.id)
    expect((await approve(green.agent, data.id)).status).toBe(404)
    expect((await turnDown(green.agent, data.id)).status).toBe(404)
    expect((await rowOf(data.id))?.status).toBe(offlineStatus.code.waiting)
  })
})

describe('a recharge at the desk', () => {
  it('credits the wallet once when another person approves, and every list and proof contains it', async () => {
    await tier(green.id, 12_300, 1_000)
    const one = await member()
    await recharge(api, one, 500)
    const before = await accountSum(api, green.id, accountKind.code.channel, '9')
    const quote = await api.call(clerk.token, offlineRecharge.quote, {
      query: { memberId: one.id, amount: '123.00' } as never,
    })
    expect(quote.data).toEqual({ gift: '10.00', credited: '133.00', before: '5.00', after: '138.00', problem: null })
    const { data } = await cash(clerk, one, '123', { remark: '门店收款' })
    expect(await wallet(one)).toEqual(['5.00', '5.00', '5.00'])
    expect(await rowOf(data.id)).toMatchObject({ status: 1, amount: '123.00', gift: '10.00', own: false, way: 1 })

    expect((await approve(checker, data.id)).status).toBe(200)
    expect(await wallet(one)).toEqual(['128.00', '138.00', '128.00'])
    expect(await accountSum(api, green.id, accountKind.code.channel, '9')).toBe(before - 12_300n)
    expect(
      await api.sql('select key, kind, ref from posting where ref = $1 order by kind', [serialNo(data.id)]),
    ).toEqual([
      { key: `offlineRecharge/${data.id}/paid`, kind: 1, ref: serialNo(data.id) },
      { key: `offlineRecharge/${data.id}/gift`, kind: 2, ref: serialNo(data.id) },
    ])
    const approved = await rowOf(data.id)
    expect(approved).toMatchObject({ status: 2, decidedBy: '姓名green_checker', createdBy: '姓名green_desk' })

    const records = await api.call(checker.token, rechargeRecord.list, { query: { memberId: one.id } as never })
    expect(records.data.rows).toMatchObject([
      {
        id: approved?.rechargeId,
        provider: 9,
        status: 'ALREADY_PAY_STATUS',
        amount: '123.00',
        gift: '10.00',
        before: '5.00',
        after: '138.00',
        payOrderId: null,
      },
    ])
    expect(await allBreaks(api)).toEqual([])
  })

  it('is posted once under repeated and concurrent approvals, rejections and a withdrawal', async () => {
    const one = await member()
    const { id } = (await cash(clerk, one, '20')).data
    const tokens = [checker, fixture.platform.root, green.admin, green.agent]
    const replies = await Promise.all([
      ...tokens.flatMap((by) => [approve(by, id), turnDown(by, id), approve(by, id)]),
      withdraw(clerk, id),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(replies.length - 1)
    const status = (await rowOf(id))?.status
    const isApproved = status === offlineStatus.code.approved
    expect((await wallet(one))[0]).toBe(isApproved ? '20.00' : '0.00')
    expect(await api.sql('select 1 from recharge_order where member_id = $1', [one.id])).toHaveLength(
      isApproved ? 1 : 0,
    )
    expect((await approve(checker, id)).status).toBe(409)
    expect(await allBreaks(api)).toEqual([])
  })

  it('counts in the recharge statistics as money of the desk', async () => {
    const desk = await newClerk(swift.id)
    const other = await newClerk(swift.id)
    const one = await makeMember(api, { organiseId: swift.id })
    const { data } = await cash(desk, one, '45.60')
    expect((await approve(other, data.id)).status).toBe(200)
    const { rows } = (await api.call(other.token, rechargeStatistics.list)).data
    expect(rows.find(({ recharges }) => recharges > 0)).toMatchObject({
      amount: '45.60',
      offline: '45.60',
      wechat: '0.00',
    })
  })

  it('changes nothing when it is rejected with a reason or withdrawn by its clerk only', async () => {
    const one = await member()
    const first = (await cash(clerk, one, '30')).data.id
    expect((await turnDown(checker, first)).status).toBe(200)
    expect(await rowOf(first)).toMatchObject({ status: offlineStatus.code.turnedDown, decision: '没有收到款项' })
    const second = (await cash(clerk, one, '30')).data.id
    expect(await withdraw(checker, second)).toMatchObject({ status: 409, message: '只能撤销自己提交的充值' })
    expect((await withdraw(clerk, second)).status).toBe(200)
    for (const id of [first, second]) expect((await approve(checker, id)).status).toBe(409)
    expect(await wallet(one)).toEqual(['0.00', '0.00', '0.00'])
  })

  it('takes the gift from the tier of exactly its amount, with its validity, never from the caller', async () => {
    await tier(green.id, 20_000, 2_000)
    const one = await member()
    const gifts = []
    for (const amount of ['200', '199.99', '210']) {
      const { data } = await cash(clerk, one, amount)
      gifts.push((await rowOf(data.id))?.gift)
      await withdraw(clerk, data.id)
    }
    expect(gifts).toEqual(['20.00', '0.00', '0.00'])
    expect((await cash(clerk, one, '200', { gift: '99' })).status).toBe(422)
    // The tier at the time of the request counts, not the one at the time of the approval.
    const { id } = (await cash(clerk, one, '200')).data
    await api.sql('delete from recharge_tier where organise_id = $1 and pay_fen = 20000', [green.id])
    expect((await approve(checker, id)).status).toBe(200)
    expect(await wallet(one)).toEqual(['200.00', '220.00', '200.00'])
    expect(
      await api.sql('select left_fen::int as fen, ends_at is not null as ends from gift_lot where member_id = $1', [
        one.id,
      ]),
    ).toEqual([{ fen: 2000, ends: true }])
  })

  it('is refused for a disabled member and for anything but one payee', async () => {
    const one = await member()
    const card = await makeCard(api, { organiseId: green.id })
    expect((await cash(clerk, one, '1', { cardId: card.id })).status).toBe(422)
    expect((await cash(clerk, one, '1', { memberId: undefined })).status).toBe(422)
    await api.sql('update member set status = 0 where id = $1', [one.id])
    expect(await cash(clerk, one, '1')).toMatchObject({ status: 409, message: '会员已停用，不能充值' })
    for (const amount of ['0', '-1', '0.001', '1e3', '10000000'])
      expect((await cash(clerk, await member(), amount)).status, amount).toBe(422)
  })

  it('cannot be refunded through a payment provider', async () => {
    const one = await member()
    const { id } = (await cash(clerk, one, '15')).data
    await approve(checker, id)
    const rechargeNo = (await rowOf(id))?.rechargeId ?? ''
    const refused = { status: 409, message: expect.stringContaining('线下充值没有支付渠道，不能原路退回') as string }
    expect(
      await api.call(checker.token, rechargeRefund.add, {
        body: { rechargeNo, amount: '1', reason: '不用了' } as never,
      }),
    ).toMatchObject(refused)
    expect(await api.call(checker.token, rechargeRefund.quote, { query: { rechargeNo } as never })).toMatchObject(
      refused,
    )
    const refundable = await api.call(checker.token, rechargeRefund.refundable, { params: { memberId: one.id } })
    expect(refundable.data.rows).toEqual([])
  })
})

describe('a transfer', () => {
  const transfer = async (by: Actor, to: Member, bankRef: string, wish: object = {}) =>
    cash(by, to, '50', { way: 2, bankRef, pictureId: await makeUpload(api, by), ...wish })

  it('requires the reference of the bank and a voucher, cash accepts no reference', async () => {
    const one = await member()
    expect(await transfer(clerk, one, '')).toMatchObject({ status: 422 })
    expect(await cash(clerk, one, '50', { way: 2, bankRef: 'ICBC0001' })).toMatchObject({
      status: 422,
      message: '请上传转账凭证',
    })
    expect(await cash(clerk, one, '50', { way: 2, pictureId: await makeUpload(api, clerk) })).toMatchObject({
      status: 422,
      message: '请填写付款方的银行流水号',
    })
    expect((await cash(clerk, one, '50', { bankRef: 'ICBC0002' })).status).toBe(422)
    const { data } = await transfer(clerk, one, 'icbc0003')
    expect(await rowOf(data.id)).toMatchObject({ way: 2, bankRef: 'ICBC0003' })
  })

  it('is credited once: its bank reference and its voucher are unique in an organisation', async () => {
    const [one, other] = [await member(), await member()]
    const { data } = await transfer(clerk, one, 'CMB20261119001')
    expect(await transfer(clerk, other, 'cmb20261119001')).toMatchObject({
      status: 422,
      message: `该银行流水号已用于${serialNo(data.id)}`,
    })
    await approve(checker, data.id)
    expect((await transfer(clerk, other, 'CMB20261119001')).status).toBe(422)
    // A clerk of an agent cannot see the request of the organisation, and is refused all the same.
    const unseen = await makeMember(api, { organiseId: green.id })
    const hidden = (await transfer(clerk, unseen, 'CMB20261119002')).data.id
    expect((await transfer(green.agent, other, 'CMB20261119002')).message).toContain(serialNo(hidden))

    const same = () => makeUpload(api, clerk, 'one voucher')
    const first = await transfer(clerk, one, 'CMB20261119003', { pictureId: await same() })
    expect(await transfer(clerk, other, 'CMB20261119004', { pictureId: await same() })).toMatchObject({
      status: 422,
      message: expect.stringContaining(`该凭证图片已用于${serialNo(first.data.id)}`) as string,
    })
    // A withdrawn request frees both; another organisation has its own references.
    await withdraw(clerk, first.data.id)
    expect((await transfer(clerk, other, 'CMB20261119003', { pictureId: await same() })).status).toBe(200)
    const desk = await newClerk(swift.id)
    const foreign = await makeMember(api, { organiseId: swift.id })
    expect((await transfer(desk, foreign, 'CMB20261119001')).status).toBe(200)
  })

  it('is credited once when two clerks use the same bank reference at the same time', async () => {
    const desks = [await newClerk(), await newClerk()]
    const one = await member()
    const replies = await Promise.all(desks.map((desk) => transfer(desk, one, 'ABC20261119777')))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
    await expect(
      api.sql(
        `insert into offline_recharge (organise_id, target, member_id, amount_fen, gift_fen, way, bank_ref, picture_id, created_by_id, created_by)
         select organise_id, 1, member_id, 100, 0, 2, bank_ref, picture_id, created_by_id, created_by from offline_recharge where bank_ref = 'ABC20261119777'`,
      ),
    ).rejects.toThrow('offline_recharge_bank_ref')
  })
})

describe('two people', () => {
  it('request and approve a recharge at the desk, also for a super administrator, and the database enforces it', async () => {
    const one = await member()
    for (const by of [fixture.platform.root, green.admin, green.agent]) {
      const { data } = await cash(by, one, '5')
      expect(await approve(by, data.id)).toMatchObject({ status: 409, message: '不能审核自己提交的充值' })
      expect((await turnDown(by, data.id)).status).toBe(409)
      await expect(
        api.sql(
          "update offline_recharge set status = 3, decision = '否', decided_by_id = $2, decided_at = now() where id = $1",
          [data.id, by.id],
        ),
      ).rejects.toThrow('offline_recharge_two_people')
    }
    expect((await wallet(one))[0]).toBe('0.00')
  })

  it('act in their own sessions: a person of the platform on behalf of another neither requests nor approves', async () => {
    const one = await member()
    const { data } = await cash(clerk, one, '5')
    const token = await borrowedSession(api, checker.id, fixture.platform.admin.id)
    expect((await approve({ token }, data.id)).status).toBe(403)
    expect((await turnDown({ token }, data.id)).status).toBe(403)
    expect((await cash({ ...checker, token }, one, '5')).status).toBe(403)
    expect((await wallet(one))[0]).toBe('0.00')
    expect((await approve(checker, data.id)).status).toBe(200)
  })

  it('decide on what was requested: its content never changes, and a decision is final', async () => {
    const { id } = (await cash(clerk, await member(), '5')).data
    const changes = ['amount_fen = 99', 'gift_fen = 99', 'member_id = member_id + 1', 'way = 2', "bank_ref = 'ABCDEF'"]
    for (const change of changes)
      await expect(api.sql(`update offline_recharge set ${change} where id = $1`, [id])).rejects.toThrow(
        'never changed',
      )
    await withdraw(clerk, id)
    await expect(api.sql('update offline_recharge set status = 1 where id = $1', [id])).rejects.toThrow('never changed')
  })
})

describe('limits of recharges at the desk', () => {
  it('hold for a clerk and day, also in small pieces and with concurrent requests', async () => {
    const [desk, one] = [await newClerk(), await member()]
    expect(await cash(desk, one, '5000.01')).toMatchObject({
      status: 422,
      message: '单笔线下充值（含赠送）不能超过5000.00元',
    })
    const replies = await Promise.all(Array.from({ length: 20 }, () => cash(desk, one, '3333.33')))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(6)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([422]))
    expect(refused[0]?.message).toBe('您每日线下充值（含赠送）的额度为20000.00元，今日剩余0.02元')
    // Approved requests count as well as waiting ones; a rejected one does not.
    const ids = replies.flatMap(({ status, data }) => (status === 200 ? [data.id] : []))
    expect((await approve(checker, ids[0] ?? '')).status).toBe(200)
    expect((await cash(desk, one, '0.03')).status).toBe(422)
    await turnDown(checker, ids[1] ?? '')
    expect((await cash(desk, one, '3333.35')).status).toBe(200)
    expect((await cash(desk, one, '0.01')).status).toBe(422)
  })

  it('hold for an organisation and day, with gifts and requests that the clerk cannot see', async () => {
    const organiseId = swift.id
    const desk = await newClerk(organiseId)
    const unseen = await makeMember(api, { organiseId })
    const [sum] = await api.sql<{ fen: string }>(
      'select coalesce(sum(amount_fen + gift_fen), 0) as fen from offline_recharge where organise_id = $1 and status < 3',
      [organiseId],
    )
    await api.sql(
      `insert into offline_recharge (organise_id, target, member_id, amount_fen, gift_fen, way, created_by_id, created_by)
       values ($1, 1, $2, $3, 10000, 1, $4, '其他人')`,
      [organiseId, unseen.id, 9_990_000 - 50_000 - Number(sum?.fen), desk.id],
    )
    const own = await makeMember(api, { organiseId, agentId: swift.subAgentId, siteId: swift.siteId })
    await tier(organiseId, 49_000, 1_001)
    expect(await cash(swift.agent, own, '490')).toMatchObject({
      status: 422,
      message: '本机构每日线下充值（含赠送）的额度为100000.00元，今日剩余500.00元',
    })
    expect((await cash(swift.agent, own, '500')).status).toBe(200)
    expect((await cash(swift.agent, own, '0.01')).status).toBe(422)
  })
})

describe('a stored card', () => {
  it('is recharged at the desk with its gift, and the lists name the card', async () => {
    await tier(green.id, 33_300, 3_300)
    const card = await makeCard(api, { organiseId: green.id, siteId: green.siteId, paidFen: 1_000 })
    const found = await api.call(clerk.token, offlineRecharge.payees, {
      query: { target: 2, keyword: card.cardNo } as never,
    })
    expect(found.data.rows).toMatchObject([{ id: card.id, cardNo: card.cardNo, name: null }])
    const { id } = (await cashForCard(clerk, card, '333')).data
    expect((await approve(checker, id)).status).toBe(200)
    expect(await cardMoney(api, card)).toEqual({ paid: 34_300, gift: 3_300, held: 0 })
    expect(await rowOf(id)).toMatchObject({ cardNo: card.cardNo, memberName: null, gift: '33.00' })
    const { rows } = (await api.call(checker.token, rechargeRecord.list)).data
    expect(rows.find((one) => one.cardNo === card.cardNo)).toMatchObject({
      before: '10.00',
      after: '376.00',
      target: 2,
    })
    expect(await allBreaks(api)).toEqual([])
  })

  it('never exceeds the legal ceiling, waiting requests and reserved money included', async () => {
    const desk = await newClerk()
    const anonymous = await makeCard(api, { organiseId: green.id, paidFen: 40_000 })
    await postLines(api, green.id, 'hold', [
      ['cardPaid', anonymous.id, -10_000],
      ['cardPaidHeld', anonymous.id, 10_000],
    ])
    const first = (await cashForCard(desk, anonymous, '300')).data.id
    expect(await cashForCard(desk, anonymous, '300.01')).toMatchObject({
      status: 422,
      message: '不记名卡余额不能超过1000.00元，充值后将达到1000.01元',
    })
    const second = (await cashForCard(desk, anonymous, '300')).data.id
    // Money that arrives by another way after the request counts at the approval.
    await postLines(api, green.id, 'recharge', [
      ['cardPaid', anonymous.id, 1],
      ['channel', '9', -1],
    ])
    const replies = await Promise.all([approve(checker, first), approve(checker, second)])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await cardMoney(api, anonymous)).paid).toBe(60_001)

    const { id: memberId } = await member()
    const named = await makeCard(api, { organiseId: green.id, memberId, paidFen: 400_000 })
    expect((await cashForCard(desk, named, '1000.01')).message).toContain('记名卡余额不能超过5000.00元')
    expect((await cashForCard(desk, named, '1000')).status).toBe(200)
  })

  it('that is lost receives nothing, also when it is lost after the request', async () => {
    const card = await makeCard(api, { organiseId: green.id })
    const { id } = (await cashForCard(clerk, card, '10')).data
    await api.sql('update stored_card set status = 1 where id = $1', [card.id])
    expect(await approve(checker, id)).toMatchObject({ status: 409, message: '储值卡已挂失，不能充值' })
    expect((await cashForCard(clerk, card, '10')).status).toBe(409)
    expect((await turnDown(checker, id)).status).toBe(200)
    expect((await cardMoney(api, card)).paid).toBe(0)
  })
})

it('finds a recharge by its number, the whole phone or the whole card number', async () => {
  const one = await makeMember(api, { organiseId: green.id, phone: '13788889999', nickname: '张小明' })
  const card = await makeCard(api, { organiseId: green.id })
  const ofMember = (await cash(clerk, one, '1')).data.id
  const ofCard = (await cashForCard(clerk, card, '1')).data.id
  const found = async (keyword: string) =>
    (await api.call(checker.token, offlineRecharge.list, { query: { keyword } as never })).data.rows.map(({ id }) => id)
  for (const keyword of [serialNo(ofMember), `xc${ofMember}`, '13788889999'])
    expect(await found(keyword), keyword).toEqual([ofMember])
  expect(await found(card.cardNo)).toEqual([ofCard])
  for (const keyword of ['1378888', 'XC', '张小明', '%']) expect(await found(keyword), keyword).toEqual([])
  expect(await rowOf(ofMember)).toMatchObject({
    memberPhone: '137****9999',
    memberName: expect.stringContaining('*') as string,
  })
})
