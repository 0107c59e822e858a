import { whitelist } from '@wattdeck/contract/member/whitelist.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { describe, expect, it } from 'vitest'
import { makeCard } from '../../../../test/fixtures/cards.ts'
import { makePayer } from '../../../../test/fixtures/charging.ts'
import { borrowedSession } from '../../../../test/fixtures/refunds.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson } from '../../../../test/harness/people.ts'

const api = await startApi()
const { green, swift, platform } = await makeFixture(api)
const menus = ['6', menuKey.whitelist]
const [maker, decider] = [
  await makePerson(api, { organiseId: green.id, loginName: 'white1', menus }),
  await makePerson(api, { organiseId: green.id, loginName: 'white2', menus }),
]
const ofAgent = await makePerson(api, { organiseId: green.id, agentId: green.subAgentId, loginName: 'white3', menus })
const ofSwift = await makePerson(api, { organiseId: swift.id, loginName: 'white4', menus })

let phones = 13_600_000_000
const half = { rule: '1', payPercent: '50' }
const free = { rule: '0', freeKwh: '5' }
const body = (more: object = {}) => ({
  name: '王',
  phone: String(++phones),
  dayTimes: '3',
  scope: '1',
  funder: '2',
  startsOn: '2026-01-01',
  endsOn: '2099-12-31',
  ...half,
  ...more,
})
const send = (by: Actor, more: object = {}) => api.call(by.token, whitelist.add, { body: body(more) as never })
const add = async (by: Actor, more: object = {}) => {
  const reply = await send(by, more)
  expect(reply.message).not.toBe('')
  expect(reply.status, reply.message).toBe(200)
  return reply.data.id
}
const rows = async (by: Actor, query: object = {}) =>
  (await api.call(by.token, whitelist.list, { query: query as never })).data.rows
const find = async (by: Actor, id: string) => (await rows(by, { pageSize: '100' })).find((row) => row.id === id)
const approve = (by: Actor, id: string) => api.call(by.token, whitelist.approve, { body: { id } as never })

describe('an entry', () => {
  it('is seen and changed only in its own organisation, and by an agent only at the own place', async () => {
    const id = await add(maker)
    expect((await find(maker, id))?.name).toBe('王')
    expect(await find(ofSwift, id)).toBeUndefined()
    expect(await find(ofAgent, id)).toBeUndefined()
    await approve(decider, await add(maker))
    for (const other of [ofSwift, ofAgent]) {
      expect((await api.call(other.token, whitelist.stop, { body: { ids: [id] } as never })).data.changed).toBe(0)
      expect(
        (await api.call(other.token, whitelist.extend, { body: { ids: [id], endsOn: '2100-01-01' } as never })).data
          .changed,
      ).toBe(0)
    }
    expect((await find(maker, id))?.status).toBe(1)
    const own = await add(ofAgent, { funder: '3' })
    expect((await find(ofAgent, own))?.agentName).not.toBeNull()
    expect((await find(maker, own))?.name).toBe('王')
  })

  it('takes exactly the value of its rule', async () => {
    const cases: [object, string][] = [
      [{ rule: '1', payPercent: undefined }, '请填写优惠值'],
      [{ rule: '2', payPercent: undefined }, '请填写优惠值'],
      [{ rule: '2', off: '1.00' }, '该规则没有这一项'],
      [{ rule: '3', payPercent: undefined, pay: '1000.01' }, '金额不能超过 1000 元'],
      [{ ...free, payPercent: undefined, freeKwh: undefined }, '请填写优惠值'],
      [{ rule: '4', payPercent: undefined, freeKwh: '5' }, '请填写优惠值'],
      [{ startsOn: '2026-02-02', endsOn: '2026-02-01' }, '结束日期不能早于开始日期'],
      [{ phone: undefined }, '请填写手机号或卡号中的一项'],
      [{ cardNo: '99887766' }, '请填写手机号或卡号中的一项'],
      [{ phone: undefined, cardNo: '99887766' }, '没有找到该卡号的储值卡'],
    ]
    for (const [more, message] of cases)
      expect(await send(maker, more), JSON.stringify(more)).toMatchObject({ status: 422, message })
    expect((await find(maker, await add(maker, { rule: '2', payPercent: undefined, off: '0.50' })))?.offFen).toBe(50)
  })

  it('exists once for a person, a place and a time', async () => {
    const phone = '13611112222'
    await add(maker, { phone, endsOn: '2026-12-31' })
    expect(await send(maker, { phone, startsOn: '2026-12-31' })).toMatchObject({ status: 409 })
    await add(maker, { phone, startsOn: '2027-01-01' })
    await add(ofAgent, { phone, funder: '4' })
    // Also when two people add it at the same moment.
    const twice = { phone: '13611113333' }
    const sent = await Promise.all([send(maker, twice), send(decider, twice), send(maker, twice)])
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(sent.filter(({ status }) => status === 409)).toHaveLength(2)
  })

  it('is exported with masked phones', async () => {
    const { phone } = (await rows(maker))[0] ?? {}
    expect(phone).toMatch(/^136\*+\d{4}$/)
  })
})

describe('giving away', () => {
  it('staff cannot put themselves on the whitelist', async () => {
    const [row] = await api.sql<{ phone: string }>('select phone from user_account where id = $1', [maker.id])
    expect(await send(maker, { phone: row?.phone })).toMatchObject({ status: 422, message: '不能把自己加入白名单' })
  })

  it('an entry begins only after another person approved it, and again after a longer validity', async () => {
    const id = await add(maker, { ...free, payPercent: undefined })
    expect((await find(maker, id))?.status).toBe(1)
    expect(await approve(maker, id)).toMatchObject({ status: 409, message: '不能审核自己提交的申请' })
    const borrowed = await borrowedSession(api, decider.id, platform.root.id)
    expect(await api.call(borrowed, whitelist.approve, { body: { id } as never })).toMatchObject({
      status: 403,
    })
    await approve(decider, id)
    expect(await find(maker, id)).toMatchObject({ status: 2, decidedBy: expect.any(String) as string })
    expect(await approve(decider, id)).toMatchObject({ status: 409 })
    // The approver extends: a new request, which only another person may approve.
    await api.call(decider.token, whitelist.extend, { body: { ids: [id], endsOn: '2100-01-01' } as never })
    expect((await find(maker, id))?.status).toBe(1)
    expect(await approve(decider, id)).toMatchObject({ status: 409, message: '不能审核自己提交的申请' })
    await approve(maker, id)
    expect((await find(maker, id))?.status).toBe(2)
  })

  it('of any kind waits, also nearly free ones', async () => {
    for (const rule of [
      { rule: '1', payPercent: '1' },
      { rule: '2', payPercent: undefined, off: '1000.00' },
      { rule: '3', payPercent: undefined, pay: '0.01' },
      { rule: '4', payPercent: undefined, freeKwh: '1', times: '1' },
    ])
      expect((await find(maker, await add(maker, rule)))?.status, rule.rule).toBe(1)
  })

  it('staff cannot approve an entry of their own phone, nor of a card of theirs', async () => {
    const [row] = await api.sql<{ phone: string }>('select phone from user_account where id = $1', [decider.id])
    const phone = row?.phone
    expect(await approve(decider, await add(maker, { phone }))).toMatchObject({
      status: 422,
      message: '不能审核自己的白名单',
    })
    const holder = await makePayer(api, green.id, 0n)
    await api.sql('update member set phone = $2 where id = $1', [holder, phone])
    const card = await makeCard(api, { organiseId: green.id })
    await api.sql('update stored_card set member_id = $2 where id = $1', [card.id, holder])
    const [{ no } = { no: '' }] = await api.sql<{ no: string }>('select card_no as no from stored_card where id = $1', [
      card.id,
    ])
    const id = await add(maker, { phone: undefined, cardNo: no })
    expect(await approve(decider, id)).toMatchObject({ status: 422, message: '不能审核自己的白名单' })
    expect(await send(decider, { phone: undefined, cardNo: no })).toMatchObject({
      status: 422,
      message: '不能把自己加入白名单',
    })
  })

  it('an agent cannot let the organisation bear a discount, nor choose a foreign place', async () => {
    expect(await send(ofAgent, { funder: '2' })).toMatchObject({
      status: 422,
      message: '只有机构人员可以选择由机构承担',
    })
    expect(await send(maker, { funder: '3' })).toMatchObject({
      status: 422,
      message: '适用范围没有代理商，不能由代理商承担',
    })
    expect(await send(ofAgent, { funder: '4', siteId: swift.siteId })).toMatchObject({ status: 404 })
    expect(await send(maker, { organiseId: swift.id })).toMatchObject({ status: 404 })
  })

  it('is turned down with a reason, and the table refuses what the server must never do', async () => {
    const id = await add(maker, { ...free, payPercent: undefined })
    await api.call(decider.token, whitelist.turnDown, { body: { id, reason: '不符合条件' } as never })
    expect(await find(maker, id)).toMatchObject({ status: 3, decision: '不符合条件' })
    await expect(
      api.sql('update whitelist_entry set status = 2, decided_by_id = created_by_id where id = $1', [id]),
    ).rejects.toThrow('check')
    await expect(
      api.sql('update whitelist_entry set status = 2, decided_by_id = null where id = $1', [id]),
    ).rejects.toThrow('check')
  })

  it('counts the uses that lowered a price', async () => {
    const id = await add(maker)
    await makePayer(api, green.id, 0n)
    await api.sql(
      `insert into whitelist_use (order_id, entry_id, organise_id, used_on, returned_at) values (1, $1, $2, current_date, null), (2, $1, $2, current_date, now())`,
      [id, green.id],
    )
    expect((await find(maker, id))?.used).toBe(1)
  })
})
