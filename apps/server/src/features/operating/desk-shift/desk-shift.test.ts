import { deskShift, deskShiftList, shiftStatus } from '@wattdeck/contract/operating/desk-shift.ts'
import { offlineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { yuanText } from '@wattdeck/domain/money.ts'
import { describe, expect, it } from 'vitest'
import { sheetOf, titlesOf } from '../../../../test/fixtures/export-sheet.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { makeDeskShift, makeUpload } from '../../../../test/fixtures/offline-recharges.ts'
import { allBreaks } from '../../../../test/fixtures/payments.ts'
import { borrowedSession } from '../../../../test/fixtures/refunds.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson, openSession } from '../../../../test/harness/people.ts'

const menus = ['9', '9.12', '1.1', '1.1.5']
const api = await startApi()
const fixture = await makeFixture(api)
const { green, swift } = fixture
const checker = await makePerson(api, { organiseId: green.id, loginName: 'green_checker', menus })
/** Every test has its own clerk, and so its own shift. */
let clerks = 0
const newClerk = (place: { organiseId: string; agentId?: string; siteId?: string } = { organiseId: green.id }) =>
  makePerson(api, { ...place, loginName: `desk_${++clerks}`, menus })
const member = () => makeMember(api, { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId })
const one = await member()

const recharge = async (by: Actor, amount: string, body: object = {}) => {
  const reply = await api.call(by.token, offlineRecharge.add, {
    body: { memberId: one.id, amount, way: 1, ...body } as never,
  })
  return { status: reply.status, id: reply.data?.id ?? '' }
}
const approve = (by: { token: string }, id: string) => api.call(by.token, offlineRecharge.approve, { body: { id } })
const turnDown = (by: { token: string }, id: string) =>
  api.call(by.token, offlineRecharge.turnDown, { body: { id, reason: '重复登记' } })
const withdraw = (by: { token: string }, id: string) => api.call(by.token, offlineRecharge.withdraw, { body: { id } })
const current = async (by: { token: string }) => (await api.call(by.token, deskShift.current)).data.rows[0]
const close = (by: { token: string }, body: object) => api.call(by.token, deskShift.close, { body: body as never })
const confirm = (by: { token: string }, body: object) => api.call(by.token, deskShift.confirm, { body: body as never })
const rowOf = async (id: string, by: { token: string } = checker) =>
  (await api.call(by.token, deskShift.list, { query: { shiftId: id } as never })).data.rows[0]
/** Counts exactly what is due. */
async function closeExactly(by: Actor): Promise<string> {
  const shift = await current(by)
  const reply = await close(by, { id: shift?.id, expected: shift?.expected, counted: shift?.expected })
  expect(reply).toMatchObject({ status: 200 })
  return shift?.id ?? ''
}
const serialNo = (id: string) => `JB${id.padStart(8, '0')}`

describe('a stranger', () => {
  it('neither sees nor closes nor receives a shift of another organisation or branch', async () => {
    const foreign = await makeMember(api, { organiseId: swift.id })
    const id = await makeDeskShift(api, { memberId: foreign.id, clerkId: swift.admin.id })
    const closed = await makeDeskShift(api, { memberId: foreign.id, clerkId: swift.agent.id, closed: true })
    const clerk = await newClerk()
    await recharge(clerk, '5')
    const ofClerk = (await current(clerk))?.id ?? ''
    for (const [by, shiftId] of [
      [checker, id],
      [checker, closed],
      // The clerk works for the organisation, not for an agent of it.
      [green.agent, ofClerk],
    ] as const) {
      expect(await rowOf(shiftId, by)).toBeUndefined()
      expect((await close(by, { id: shiftId, expected: '1.00', counted: '1' })).status).toBe(404)
      expect((await confirm(by, { id: shiftId, received: '1' })).status).toBe(404)
    }
    expect((await close(checker, { id: ofClerk, expected: '5.00', counted: '5' })).status).toBe(404)
    expect(await current(checker)).toBeUndefined()
  })
})

describe('a shift', () => {
  it('begins with the first cash, has what waits or is approved, and ends with cash in other hands', async () => {
    const clerk = await newClerk()
    expect(await current(clerk)).toBeUndefined()
    const [first, second] = [await recharge(clerk, '100'), await recharge(clerk, '50.50')]
    const [third, fourth] = [await recharge(clerk, '7'), await recharge(clerk, '8')]
    const pictureId = await makeUpload(api, { id: clerk.id, organiseId: green.id })
    const transfer = await recharge(clerk, '300', { way: 2, bankRef: 'SHIFT20261119001', pictureId })
    expect([first, second, third, fourth, transfer].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await approve(checker, first.id)
    await turnDown(checker, third.id)
    await withdraw(clerk, fourth.id)
    const shift = await current(clerk)
    expect(shift).toMatchObject({
      recharges: 2,
      waiting: 1,
      expected: '150.50',
      organiseName: expect.any(String) as string,
    })
    const id = shift?.id ?? ''
    expect(await rowOf(id)).toMatchObject({ status: 1, recharges: 2, expected: '150.50', counted: null, short: null })
    expect((await confirm(checker, { id, received: '150.50' })).message).toBe('该班次尚未交班')

    expect(await close(clerk, { id, expected: '150.50', counted: '150' })).toMatchObject({
      status: 422,
      message: '实点金额与应交金额不符，请说明差额原因',
    })
    const closed = await close(clerk, { id, expected: '150.50', counted: '150', reason: '找零差错' })
    expect(closed).toMatchObject({
      status: 200,
      message: '已交班：2笔，应交150.50元，实点150.00元，须由他人确认收到现金',
    })
    expect(await rowOf(id)).toMatchObject({
      status: 2,
      short: '-0.50',
      reason: '找零差错',
      clerkId: clerk.id,
      own: false,
    })
    expect(
      await api.sql("select 1 from notification where user_id = $1 and title = '交班待确认' and body like $2", [
        checker.id,
        `${serialNo(id)}%`,
      ]),
    ).toHaveLength(1)

    expect((await confirm(checker, { id, received: '149' })).message).toBe('实收金额与实点金额不符，请填写交接说明')
    expect((await confirm(checker, { id, received: '149', reason: '少一元' })).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({
      status: shiftStatus.code.handedOver,
      received: '149.00',
      receivedById: checker.id,
      receivedReason: '少一元',
    })
    expect((await confirm(checker, { id, received: '150' })).message).toBe('该班次已确认交接')

    // Its recharges, also those that went back, and no other.
    const { rows } = (await api.call(checker.token, offlineRecharge.list, { query: { shiftId: id } as never })).data
    expect(rows.map((row) => row.id)).toEqual([fourth.id, third.id, second.id, first.id])
    expect(new Set(rows.map((row) => row.shiftNo))).toEqual(new Set([serialNo(id)]))
    // The next cash begins another shift.
    await recharge(clerk, '9')
    expect(await current(clerk)).toMatchObject({ expected: '9.00', recharges: 1 })
    expect((await current(clerk))?.id).not.toBe(id)
  })

  it('without cash is not closed, and none is closed on another sum than the displayed one', async () => {
    const clerk = await newClerk()
    const { id } = await recharge(clerk, '20')
    const shift = await current(clerk)
    await recharge(clerk, '1')
    expect(await close(clerk, { id: shift?.id, expected: '20.00', counted: '20' })).toMatchObject({
      status: 409,
      message: '本班的现金充值已变化，请按新的应交金额重新清点',
    })
    await withdraw(clerk, id)
    const { rows } = (await api.call(clerk.token, offlineRecharge.list, { query: { status: 1 } as never })).data
    const rest = rows.find((row) => row.createdById === clerk.id)
    await turnDown(checker, rest?.id ?? '')
    expect(await close(clerk, { id: shift?.id, expected: '0.00', counted: '0' })).toMatchObject({
      status: 409,
      message: '本班没有现金充值，无需交班',
    })
  })

  it('may be short of all its cash, with a reason', async () => {
    const clerk = await newClerk()
    await recharge(clerk, '30')
    const shift = await current(clerk)
    expect((await close(clerk, { id: shift?.id, expected: '30.00', counted: '-1', reason: '被盗' })).status).toBe(422)
    expect((await close(clerk, { id: shift?.id, expected: '30.00', counted: '0', reason: '被盗' })).status).toBe(200)
    expect(await rowOf(shift?.id ?? '')).toMatchObject({ counted: '0.00', short: '-30.00' })
  })

  it('is exported with its sums', async () => {
    const clerk = await newClerk()
    await recharge(clerk, '12.34')
    const id = await closeExactly(clerk)
    const [row] = await sheetOf(
      api,
      green.admin.token,
      deskShift.exportList,
      titlesOf(deskShiftList),
      `clerkId=${clerk.id}`,
    )
    expect(row).toMatchObject({ 交班单号: serialNo(id), 状态: '待确认', 应交金额: 12.34, 实点金额: 12.34, 长短款: 0 })
  })
})

describe('cash of a closed shift', () => {
  it('is not withdrawn by its clerk; a rejection says who returns it and leaves the shift as it was', async () => {
    const clerk = await newClerk()
    const [first, second] = [await recharge(clerk, '40'), await recharge(clerk, '2')]
    const id = await closeExactly(clerk)
    expect(await withdraw(clerk, first.id)).toMatchObject({
      status: 409,
      message: `这笔现金已随交班单${serialNo(id)}上交，不能撤销；需要退还时请由审核人驳回`,
    })
    await expect(api.sql('update offline_recharge set status = 4 where id = $1', [first.id])).rejects.toThrow(
      'never withdrawn',
    )
    expect(await turnDown(checker, first.id)).toMatchObject({
      status: 200,
      message: `已驳回线下充值 ¥40.00，未入账，现金已随交班单${serialNo(id)}上交，请将款项退还付款人`,
    })
    expect((await approve(checker, second.id)).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ recharges: 2, expected: '42.00', counted: '42.00', rejected: '40.00' })
    expect(await allBreaks(api)).toEqual([])
  })

  it('never changes, whoever writes: content, decision and membership are kept by the database', async () => {
    const clerk = await newClerk()
    const { id: rechargeId } = await recharge(clerk, '6')
    const id = await closeExactly(clerk)
    const other = await newClerk()
    await recharge(other, '1')
    const otherId = (await current(other))?.id
    for (const change of ['counted_fen = 1', 'expected_fen = 1', "reason = '改'", 'clerk_id = 1', 'recharges = 9'])
      await expect(api.sql(`update desk_shift set ${change} where id = $1`, [id]), change).rejects.toThrow(
        'never changed',
      )
    await expect(api.sql('update desk_shift set status = 1 where id = $1', [id])).rejects.toThrow('desk_shift_closed')
    await expect(
      api.sql('update offline_recharge set shift_id = $2 where id = $1', [rechargeId, otherId]),
    ).rejects.toThrow('never changed')
    await expect(
      api.sql(
        `insert into offline_recharge (organise_id, target, member_id, amount_fen, gift_fen, way, created_by_id, created_by, shift_id)
         values ($1, 1, $2, 100, 0, 1, $3, '甲', $4)`,
        [green.id, one.id, clerk.id, id],
      ),
    ).rejects.toThrow('open shift only')
    await confirm(checker, { id, received: '6' })
    await expect(api.sql('update desk_shift set received_fen = 1 where id = $1', [id])).rejects.toThrow('never changed')
  })
})

describe('two people', () => {
  it('hand over the cash, also for a super administrator, and the database enforces it', async () => {
    for (const by of [fixture.platform.root, green.admin, await newClerk()]) {
      await recharge(by, '5')
      const shift = await current(by)
      const id = shift?.id ?? ''
      expect((await close(by, { id, expected: shift?.expected, counted: shift?.expected })).status).toBe(200)
      expect(await confirm(by, { id, received: shift?.expected })).toMatchObject({
        status: 409,
        message: '不能接收自己的现金，须由他人确认交接',
      })
      await expect(
        api.sql(
          "update desk_shift set status = 3, received_by_id = $2, received_by = '甲', received_at = now(), received_fen = counted_fen where id = $1",
          [id, by.id],
        ),
      ).rejects.toThrow('desk_shift_two_people')
      expect((await confirm(checker, { id, received: shift?.expected })).status).toBe(200)
    }
  })

  it('act in their own sessions', async () => {
    const clerk = await newClerk()
    await recharge(clerk, '5')
    const shift = await current(clerk)
    const body = { id: shift?.id, expected: '5.00', counted: '5' }
    const borrowed = { token: await borrowedSession(api, clerk.id, fixture.platform.admin.id) }
    expect((await close(borrowed, body)).status).toBe(403)
    expect((await close(clerk, body)).status).toBe(200)
    const checking = { token: await borrowedSession(api, checker.id, fixture.platform.admin.id) }
    expect((await confirm(checking, { id: shift?.id, received: '5' })).status).toBe(403)
  })
})

describe('at the same moment', () => {
  it('two closes give one, and two confirmations give one', async () => {
    const clerk = await newClerk()
    await recharge(clerk, '25')
    const shift = await current(clerk)
    const body = { id: shift?.id, expected: '25.00', counted: '25' }
    const closes = await Promise.all(Array.from({ length: 6 }, () => close(clerk, body)))
    expect(closes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409])
    const receipts = await Promise.all(
      [checker, green.admin, fixture.platform.root].map((by) => confirm(by, { id: shift?.id, received: '25' })),
    )
    expect(receipts.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  it('cash that comes while a shift is closed is in it or in the next one, never in both or in none', async () => {
    for (let round = 1; round <= 5; round++) {
      const clerk = await newClerk()
      const { id: rejected } = await recharge(clerk, '10')
      await recharge(clerk, '1')
      const shift = await current(clerk)
      const replies = await Promise.all([
        recharge(clerk, '2'),
        close(clerk, { id: shift?.id, expected: '11.00', counted: '11' }),
        turnDown(checker, rejected),
        recharge(clerk, '3'),
        withdraw(clerk, rejected),
      ])
      expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
      // A close that lost against the others is repeated with the new sum.
      while ((await current(clerk)) !== undefined) await closeExactly(clerk)
      const shifts = (await api.call(checker.token, deskShift.list, { query: { clerkId: clerk.id } as never })).data
        .rows
      const [sums] = await api.sql<{ kept: string; gone: string }>(
        `select coalesce(sum(amount_fen) filter (where status in (1, 2)), 0) as kept,
           coalesce(sum(amount_fen) filter (where after_shift), 0) as gone
         from offline_recharge where created_by_id = $1`,
        [clerk.id],
      )
      const total = shifts.reduce((sum, row) => sum + BigInt(row.expected.replace('.', '')), 0n)
      expect(yuanText(total)).toBe(yuanText(BigInt(sums?.kept ?? 0) + BigInt(sums?.gone ?? 0)))
      const later = shifts.reduce((sum, row) => sum + BigInt(row.rejected.replace('.', '')), 0n)
      expect(later).toBe(BigInt(sums?.gone ?? 0))
    }
  })

  it('many first recharges open one shift', async () => {
    const clerk = await newClerk()
    const replies = await Promise.all(Array.from({ length: 8 }, () => recharge(clerk, '1')))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
    expect(await api.sql('select 1 from desk_shift where clerk_id = $1', [clerk.id])).toHaveLength(1)
    expect(await current(clerk)).toMatchObject({ recharges: 8, expected: '8.00' })
  })
})

it('a clerk who moves within the organisation still closes the shift with all its cash', async () => {
  const clerk = await newClerk({ organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId })
  await recharge(clerk, '15')
  const [site] = await api.sql<{ id: string }>(
    "insert into site (organise_id, agent_id, name) values ($1, $2, '另一个站点') returning id",
    [green.id, green.agentId],
  )
  await api.sql('update user_account set site_id = $2, agent_id = $3 where id = $1', [
    clerk.id,
    site?.id,
    green.agentId,
  ])
  const again = { ...clerk, token: await openSession(api, clerk.id) }
  expect(await current(again)).toMatchObject({ expected: '15.00' })
  const id = await closeExactly(again)
  expect((await confirm(green.subAgent, { id, received: '15' })).status).toBe(200)
})
