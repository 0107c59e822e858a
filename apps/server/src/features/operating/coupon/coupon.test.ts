import { coupon } from '@wattdeck/contract/operating/coupon.ts'
import { couponGrant } from '@wattdeck/contract/operating/coupon-grant.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { describe, expect, it } from 'vitest'
import { makeCoupon, makeGrant } from '../../../../test/fixtures/coupons.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { borrowedSession } from '../../../../test/fixtures/refunds.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson } from '../../../../test/harness/people.ts'

const api = await startApi()
const { green, swift, platform } = await makeFixture(api)
const menus = ['9', menuKey.coupon]
const [maker, decider] = [
  await makePerson(api, { organiseId: green.id, loginName: 'coupon1', menus }),
  await makePerson(api, { organiseId: green.id, loginName: 'coupon2', menus }),
]
const ofAgent = await makePerson(api, { organiseId: green.id, agentId: green.subAgentId, loginName: 'coupon3', menus })
const ofSwift = await makePerson(api, { organiseId: swift.id, loginName: 'coupon4', menus })

let serial = 13_400_000_000
const member = async (organiseId = green.id) => {
  const phone = String(++serial)
  return { ...(await makeMember(api, { organiseId, phone })), phone }
}
const body = (more: object = {}) => ({
  name: '夜间券',
  kind: '1',
  off: '2.00',
  from: '10.00',
  scope: '1',
  funder: '2',
  total: '3',
  perMember: '1',
  claimable: 'true',
  stacks: 'true',
  startsOn: '2026-01-01',
  endsOn: '2098-12-31',
  ...more,
})
const send = (by: Actor, more: object = {}) => api.call(by.token, coupon.add, { body: body(more) as never })
const add = async (by: Actor, more: object = {}) => {
  const reply = await send(by, more)
  expect(reply.status, reply.message).toBe(200)
  return reply.data.id
}
const rows = async (by: Actor) =>
  (await api.call(by.token, coupon.list, { query: { pageSize: '100' } as never })).data.rows
const find = async (by: Actor, id: string) => (await rows(by)).find((row) => row.id === id)
const approve = (by: Actor, id: string) => api.call(by.token, coupon.approve, { body: { id } as never })
const give = (by: Actor, couponId: string, phones: string[]) =>
  api.call(by.token, couponGrant.give, { body: { couponId, phones: phones.join('\n') } as never })
const grants = async (by: Actor, query: object) =>
  (await api.call(by.token, couponGrant.list, { query: query as never })).data.rows
const approved = async (more: object = {}) => {
  const id = await add(maker, more)
  expect((await approve(decider, id)).status).toBe(200)
  return id
}

describe('a coupon', () => {
  it('takes exactly the values of its kind', async () => {
    const bare = { off: undefined, from: undefined }
    const cases: [object, string][] = [
      [{ off: undefined }, '请填写面值'],
      [{ ...bare, kind: '2', payPercent: '80' }, '请填写面值'],
      [{ ...bare, kind: '3' }, '请填写面值'],
      [{ ...bare, kind: '4' }, '请填写面值'],
      [{ ...bare, kind: '5' }, '请填写面值'],
      [{ kind: '5', max: '10.00' }, '该类型没有这一项'],
      [{ ...bare, kind: '4', freeKwh: '2', from: '1.00' }, '该类型没有这一项'],
      [{ off: '1000.01', from: undefined }, '金额不能超过 1000 元'],
      [{ off: '11.00' }, '门槛不能低于减免金额'],
      [{ endsOn: '2025-12-31' }, '结束日期不能早于开始日期'],
      [{ perMember: '4' }, '每人限领不能超过总量'],
    ]
    for (const [more, message] of cases)
      expect(await send(maker, more), JSON.stringify(more)).toMatchObject({ status: 422, message })
    const id = await add(maker, { ...bare, kind: '2', payPercent: '80', max: '5.00' })
    expect(await find(maker, id)).toMatchObject({ offBp: 2000, maxFen: 500, status: 1, granted: 0 })
  })

  it('is seen and changed only in its own organisation, and by an agent only at the own place', async () => {
    const id = await add(maker)
    for (const other of [ofSwift, ofAgent]) {
      expect(await find(other, id)).toBeUndefined()
      expect((await approve(other, id)).status).toBe(404)
      expect((await give(other, id, ['13900000000'])).status).toBe(404)
      expect((await api.call(other.token, coupon.days, { query: { id } as never })).status).toBe(404)
      expect((await api.call(other.token, coupon.stop, { body: { ids: [id] } as never })).data.changed).toBe(0)
    }
    const own = await add(ofAgent, { funder: '3' })
    expect((await find(maker, own))?.agentName).not.toBeNull()
  })

  it('is charged to a funder that the creator may bind', async () => {
    expect(await send(ofAgent, { funder: '2' })).toMatchObject({
      status: 422,
      message: '只有机构人员可以选择由机构承担',
    })
    expect(await send(maker, { funder: '3' })).toMatchObject({ status: 422 })
  })
})

describe('giving coupons away', () => {
  it('a coupon is given only after another person approved its number', async () => {
    const id = await add(maker)
    const { phone } = await member()
    expect(await give(maker, id, [phone])).toMatchObject({ status: 409, message: '该优惠券不在发放中' })
    expect(await approve(maker, id)).toMatchObject({ status: 409, message: '不能审核自己提交的申请' })
    const borrowed = await borrowedSession(api, decider.id, platform.root.id)
    expect((await api.call(borrowed, coupon.approve, { body: { id } as never })).status).toBe(403)
    expect((await approve(decider, id)).status).toBe(200)
    expect((await approve(decider, id)).status).toBe(409)
    expect(await give(maker, id, [phone])).toMatchObject({ status: 200, data: { given: 1, refused: [] } })
    expect(await find(maker, id)).toMatchObject({ status: 2, granted: 1 })
  })

  it('staff cannot give coupons to themselves', async () => {
    const id = await approved()
    const [row] = await api.sql<{ phone: string }>('select phone from user_account where id = $1', [maker.id])
    expect(await give(maker, id, [row?.phone ?? ''])).toMatchObject({ status: 422, message: '不能给自己发放' })
  })

  it('each person gets as many as allowed, strangers and members of others get none, and the reasons are named', async () => {
    const id = await approved()
    const [first, foreign] = [await member(), await member(swift.id)]
    await give(maker, id, [first.phone])
    const { data } = await give(maker, id, [first.phone, foreign.phone])
    expect(data).toEqual({
      given: 0,
      refused: [
        { phone: `134****${first.phone.slice(-4)}`, why: '已达到每人限领' },
        { phone: `134****${foreign.phone.slice(-4)}`, why: '没有该手机号的会员，或已停用' },
      ],
    })
    expect(await give(maker, id, ['12345'])).toMatchObject({ status: 422, message: '不是手机号：12345' })
  })

  it('never more than the budget are given, also by simultaneous requests', async () => {
    const id = await approved({ total: '3' })
    const people = await Promise.all(Array.from({ length: 8 }, () => member()))
    await Promise.all(people.map(({ phone }) => give(maker, id, [phone])))
    expect(await find(maker, id)).toMatchObject({ granted: 3 })
    expect(await grants(maker, { couponId: id })).toHaveLength(3)
    expect(await give(maker, id, [people[0]?.phone ?? ''])).toMatchObject({ status: 409, message: '优惠券已领完' })
  })

  it('a stopped coupon is given no more, and what members hold stays', async () => {
    const id = await approved()
    const { phone, id: memberId } = await member()
    await give(maker, id, [phone])
    await api.call(maker.token, coupon.stop, { body: { ids: [id] } as never })
    expect(await give(maker, id, [(await member()).phone])).toMatchObject({ status: 409 })
    expect(await grants(maker, { memberId })).toMatchObject([{ status: 1 }])
  })

  it('unused coupons can be taken back with a reason, used ones and those of others not', async () => {
    const couponId = await makeCoupon(api, { organiseId: green.id })
    const [one, two] = [await member(), await member()]
    const ids = [await makeGrant(api, couponId, one.id), await makeGrant(api, couponId, two.id)]
    await api.sql('update coupon_grant set status = 2, order_id = 7 where id = $1', [ids[1]])
    const take = (by: Actor) => api.call(by.token, couponGrant.takeBack, { body: { ids, reason: '发错了' } as never })
    expect((await take(ofSwift)).data.changed).toBe(0)
    expect((await take(maker)).data.changed).toBe(1)
    expect(await grants(maker, { couponId })).toMatchObject([{ status: 2 }, { status: 4, voidReason: '发错了' }])
  })

  it('a coupon after its last day is shown as expired, and its days are counted', async () => {
    const couponId = await makeCoupon(api, { organiseId: green.id })
    const { id: memberId, phone } = await member()
    const grantId = await makeGrant(api, couponId, memberId)
    await api.sql("update coupon_grant set valid_until = '2026-01-02' where id = $1", [grantId])
    expect(await grants(maker, { couponId, status: '5' })).toHaveLength(1)
    expect(await grants(maker, { couponId, status: '1' })).toHaveLength(0)
    expect(await grants(maker, { keyword: phone })).toMatchObject([{ phone: `134****${phone.slice(-4)}` }])
    const { data } = await api.call(maker.token, coupon.days, { query: { id: couponId } as never })
    expect(data).toHaveLength(30)
    expect(data.at(-1)).toMatchObject({ given: 1, used: 0, off: '0.00' })
  })
})
