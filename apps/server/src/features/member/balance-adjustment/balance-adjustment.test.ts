import { adjustmentStatus, balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { amountMessage } from '@wattdeck/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeAdjustment, makeMember, type Member, recharge } from '../../../../test/fixtures/members.ts'
import { type Actor, makePerson, makeFixture, openSession } from '../../../../test/harness/people.ts'

const menus = ['6', '6.1', '6.9']
const api = await startApi()
const fixture = await makeFixture(api)
const checker = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_checker', menus })

const member = async (fen = 0): Promise<Member> => {
  const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
  const newMember = await makeMember(api, { organiseId, agentId, siteId })
  if (fen > 0) await recharge(api, newMember, fen)
  return newMember
}
const ask = (token: string, { id }: Member, params: object = {}) =>
  api.call(token, balanceAdjustment.add, {
    body: { memberId: id, direction: 1, wallet: 1, amount: '12.30', reason: '设备断电补偿', ...params } as never,
  })
const approve = (token: string, id: string) => api.call(token, balanceAdjustment.approve, { body: { id } })
const turnDown = (token: string, id: string) =>
  api.call(token, balanceAdjustment.turnDown, { body: { id, reason: '没有凭证' } })
const wallet = async ({ id: memberId }: Member) => {
  const { data } = await api.call(fixture.green.admin.token, memberInfo.info, { query: { memberId } })
  return [data.rechargeBalance, data.balance]
}
const row = async (id: string) =>
  (await api.call(checker.token, balanceAdjustment.list, { query: { pageSize: 500 } as never })).data.rows.find(
    (one) => one.id === id,
  )
const breaks = () => api.sql('select what, ref from app.ledger_breaks()')

describe('a stranger', () => {
  it('neither sees nor decides on a request of another organisation, nor creates one', async () => {
    const foreign = await makeMember(api, { organiseId: fixture.swift.id })
    const id = await makeAdjustment(api, foreign, fixture.swift.admin.id)
    const { token } = fixture.green.admin
    expect((await api.call(token, balanceAdjustment.list)).data.rows).toEqual([])
    expect((await ask(token, foreign)).status).toBe(404)
    expect((await approve(token, id)).status).toBe(404)
    expect((await turnDown(token, id)).status).toBe(404)
    expect((await api.call(token, balanceAdjustment.withdraw, { body: { id } })).status).toBe(404)
  })

  it('at an agent sees only the requests of its own members', async () => {
    const elsewhere = await makeMember(api, { organiseId: fixture.green.id })
    const id = await makeAdjustment(api, elsewhere, fixture.green.admin.id)
    const own = await makeAdjustment(api, await member(), fixture.green.admin.id)
    const seen = (await api.call(fixture.green.agent.token, balanceAdjustment.list)).data.rows.map((one) => one.id)
    expect(seen).toContain(own)
    expect(seen).not.toContain(id)
    expect((await approve(fixture.green.agent.token, id)).status).toBe(404)
  })
})

describe('a balance', () => {
  it('moves when a second person approves, once, and both are notified', async () => {
    const one = await member(1_000)
    const { data } = await ask(fixture.green.admin.token, one)
    expect(await wallet(one)).toEqual(['10.00', '10.00'])
    expect(await row(data.id)).toMatchObject({ status: 1, amount: '12.30', own: false, decidedBy: null })
    const waiting = await api.sql<{ user_id: string }>(
      "select user_id from notification where title = '余额调整待审批' and body like $1",
      [`%TZ${data.id.padStart(8, '0')}%`],
    )
    expect(waiting.map(({ user_id }) => user_id)).toContain(checker.id)
    expect(waiting.map(({ user_id }) => user_id)).not.toContain(fixture.green.admin.id)
    expect(waiting.map(({ user_id }) => user_id)).not.toContain(fixture.green.clerk.id)

    expect((await approve(checker.token, data.id)).status).toBe(200)
    expect(await wallet(one)).toEqual(['22.30', '22.30'])
    expect(await approve(checker.token, data.id)).toMatchObject({ status: 409 })
    expect(await turnDown(checker.token, data.id)).toMatchObject({ status: 409 })
    expect(await wallet(one)).toEqual(['22.30', '22.30'])
    expect(await row(data.id)).toMatchObject({ status: adjustmentStatus.code.approved, decidedBy: '姓名green_checker' })
    expect(
      await api.sql("select body from notification where title = '余额调整已通过' and user_id = $1", [
        fixture.green.admin.id,
      ]),
    ).toEqual([{ body: `TZ${data.id.padStart(8, '0')}` }])
    expect(await api.sql('select kind, memo from posting where key = $1', [`adjustment/${data.id}`])).toEqual([
      { kind: 7, memo: '设备断电补偿' },
    ])
    expect(await breaks()).toEqual([])
  })

  it('of gift money is separate from paid money', async () => {
    const one = await member(1_000)
    const { data } = await ask(fixture.green.admin.token, one, { wallet: 2, amount: '5' })
    await approve(checker.token, data.id)
    expect(await wallet(one)).toEqual(['10.00', '15.00'])
  })

  it('stays the same when the request is rejected with a reason or withdrawn by its requester', async () => {
    const one = await member(1_000)
    const first = (await ask(fixture.green.admin.token, one)).data.id
    expect((await turnDown(checker.token, first)).status).toBe(200)
    expect(await row(first)).toMatchObject({ status: adjustmentStatus.code.turnedDown, decision: '没有凭证' })
    expect((await approve(checker.token, first)).status).toBe(409)
    const second = (await ask(fixture.green.admin.token, one)).data.id
    const withdraw = (token: string) => api.call(token, balanceAdjustment.withdraw, { body: { id: second } })
    expect(await withdraw(checker.token)).toMatchObject({ status: 409, message: '只能撤销自己提交的申请' })
    expect((await withdraw(fixture.green.admin.token)).status).toBe(200)
    expect((await approve(checker.token, second)).status).toBe(409)
    expect(await wallet(one)).toEqual(['10.00', '10.00'])
  })

  it('moves once under concurrent approvals and rejections', async () => {
    const one = await member(1_000)
    const { id } = (await ask(fixture.green.admin.token, one)).data
    const { root, admin } = fixture.platform
    const tokens = [checker.token, root.token, admin.token, fixture.green.agent.token]
    const replies = await Promise.all(
      tokens.flatMap((token) => [approve(token, id), turnDown(token, id), approve(token, id)]),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(replies.length - 1)
    const approved = (await row(id))?.status === adjustmentStatus.code.approved
    expect((await wallet(one))[0]).toBe(approved ? '22.30' : '10.00')
    expect(await breaks()).toEqual([])
  })

  it('never becomes negative, neither at the request nor when the money was spent meanwhile', async () => {
    const one = await member(1_000)
    expect(await ask(fixture.green.admin.token, one, { direction: 2, amount: '10.01' })).toMatchObject({
      status: 409,
      message: '余额不足，当前充值余额10.00元',
    })
    const down = { direction: 2, amount: '6.00' }
    const first = (await ask(fixture.green.admin.token, one, down)).data.id
    const second = (await ask(fixture.green.admin.token, one, down)).data.id
    const replies = await Promise.all([approve(checker.token, first), approve(checker.token, second)])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(replies.find(({ status }) => status === 409)?.message).toBe('余额不足')
    expect(await wallet(one)).toEqual(['4.00', '4.00'])
    // The request that failed still waits, and can be rejected.
    const pendingId = replies[0].status === 200 ? second : first
    expect((await row(pendingId))?.status).toBe(adjustmentStatus.code.waiting)
    expect((await turnDown(checker.token, pendingId)).status).toBe(200)
  })
})

describe('the requester', () => {
  it('does not decide, not even as super administrator, and the database enforces it', async () => {
    const one = await member()
    const people = { root: fixture.platform.root, admin: fixture.green.admin, agent: fixture.green.agent }
    for (const { token, id: userId } of Object.values(people)) {
      const { data } = await ask(token, one)
      expect(await approve(token, data.id)).toMatchObject({ status: 409, message: '不能审批自己提交的申请' })
      expect((await turnDown(token, data.id)).status).toBe(409)
      await expect(
        api.sql('update balance_adjustment set status = 2, decided_by_id = $2, decided_at = now() where id = $1', [
          data.id,
          userId,
        ]),
      ).rejects.toThrow('balance_adjustment_two_people')
    }
    expect(await wallet(one)).toEqual(['0.00', '0.00'])
  })

  it('is notified of the decision in any place', async () => {
    const { root } = fixture.platform
    const { data } = await ask(root.token, await member())
    expect((await approve(fixture.green.subAgent.token, data.id)).status).toBe(200)
    const notifications = await api.sql(
      'select organise_id, agent_id from notification where user_id = $1 and title = $2',
      [root.id, '余额调整已通过'],
    )
    expect(notifications).toEqual([{ organise_id: '1', agent_id: null }])
  })

  it('must act in their own session: a session on behalf of another person neither requests nor decides', async () => {
    const one = await member()
    const { data } = await ask(fixture.green.admin.token, one)
    const borrowed = await openSession(api, checker.id)
    await api.sql(
      'update session set acted_by = $2 where user_id = $1 and acted_by is null and token_hash = sha256($3)',
      [checker.id, fixture.green.admin.id, Buffer.from(borrowed)],
    )
    expect((await approve(borrowed, data.id)).status).toBe(403)
    expect((await ask(borrowed, one)).status).toBe(403)
    expect((await approve(checker.token, data.id)).status).toBe(200)
  })

  it.each(['0', '0.001', '10000000', '-1', '1e3', ''])('is refused the amount %j', async (amount) => {
    const reply = await ask(fixture.green.admin.token, await member(), { amount })
    expect(reply.status).toBe(422)
    if (amount !== '') expect(reply.message).toContain(amountMessage)
  })
})

it('finds a request by its number, by the member, and by the whole phone', async () => {
  const { id: organiseId } = fixture.green
  const one = await makeMember(api, { organiseId, phone: '13711112222' })
  const id = await makeAdjustment(api, one, fixture.green.admin.id)
  const found = async (keyword: string) =>
    (await api.call(checker.token, balanceAdjustment.list, { query: { keyword } as never })).data.rows.map(
      (request) => request.id,
    )
  for (const keyword of [`TZ${id.padStart(8, '0')}`, `tz${id}`, one.id, '13711112222'])
    expect(await found(keyword), keyword).toEqual([id])
  for (const keyword of ['1371111', 'TZ', '补偿', '%']) expect(await found(keyword), keyword).toEqual([])
})

it('does not let the content of a request change before the decision', async () => {
  const id = await makeAdjustment(api, await member(), fixture.green.admin.id)
  for (const change of ['amount_fen = 99', 'direction = 2', "reason = 'x'", 'member_id = member_id + 1'])
    await expect(api.sql(`update balance_adjustment set ${change} where id = $1`, [id])).rejects.toThrow(
      'never changed',
    )
})

describe('manual credits', () => {
  const plant = (one: Member, by: Actor, fen: number, status = 1) =>
    api.sql(
      `insert into balance_adjustment (organise_id, agent_id, site_id, member_id, direction, wallet, amount_fen, reason, status, created_by_id, created_by)
       select organise_id, agent_id, site_id, id, 1, 1, $2, '补偿', $3, $4, '测试' from member where id = $1`,
      [one.id, fen, status, by.id],
    )

  it('are limited per request and per person and day, also under concurrent requests', async () => {
    const one = await member(600_000)
    const { token } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_generous', menus })
    expect(await ask(token, one, { amount: '5000.01' })).toMatchObject({
      status: 422,
      message: '单笔增加不能超过5000.00元',
    })
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(token, one, { amount: '4999.99' })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([422]))
    expect(refused[0]?.message).toBe('您每日人工增加余额的额度为20000.00元，今日剩余0.04元')
    expect((await ask(token, one, { amount: '0.04' })).status).toBe(200)
    expect((await ask(token, one, { amount: '0.01' })).status).toBe(422)
    // Debits do not count towards the limit, and a withdrawn request frees its amount.
    expect((await ask(token, one, { direction: 2, amount: '5999.00' })).status).toBe(200)
    const withdrawnId = replies.find(({ status }) => status === 200)?.data.id ?? ''
    await api.call(token, balanceAdjustment.withdraw, { body: { id: withdrawnId } })
    expect((await ask(token, one, { amount: '4999.99' })).status).toBe(200)
  })

  it('are limited per organisation and day, including requests that the requester cannot see', async () => {
    const { swift } = fixture
    const unseen = await makeMember(api, { organiseId: swift.id })
    const other = await makePerson(api, { organiseId: swift.id, loginName: 'swift_other', menus })
    const [creditedSum] = await api.sql<{ fen: string }>(
      'select coalesce(sum(amount_fen), 0) as fen from balance_adjustment where organise_id = $1',
      [swift.id],
    )
    await plant(unseen, other, 9_950_000 - Number(creditedSum?.fen))
    await plant(unseen, other, 9_000_000, 4)
    const own = await makeMember(api, { organiseId: swift.id, agentId: swift.subAgentId, siteId: swift.siteId })
    const { token } = await makePerson(api, {
      organiseId: swift.id,
      agentId: swift.agentId,
      loginName: 'swift_agent_asker',
      menus,
    })
    expect(await ask(token, own, { amount: '500.01' })).toMatchObject({
      status: 422,
      message: '本机构每日人工增加余额的额度为100000.00元，今日剩余500.00元',
    })
    expect((await ask(token, own, { amount: '500.00' })).status).toBe(200)
    // The limit starts again on the next day.
    await api.sql('alter table balance_adjustment disable trigger keep_request')
    await api.sql("update balance_adjustment set created_at = created_at - interval '1 day' where organise_id = $1", [
      swift.id,
    ])
    await api.sql('alter table balance_adjustment enable trigger keep_request')
    expect((await ask(token, own, { amount: '500.01' })).status).toBe(200)
  })
})
