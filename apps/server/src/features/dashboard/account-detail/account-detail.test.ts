import { accountKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import { accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { parseYuan } from '@wattdeck/domain/money.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeMember, type Member, postLines, recharge } from '../../../../test/fixtures/members.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'
import { daysOf } from './account-detail.rules.ts'

let member: Member
const { memberPaid, channel, siteService, adjustment } = accountKind.code

const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
  member = await makeMember(api, { organiseId, agentId, siteId, nickname: '小林' })
  await recharge(api, await makeMember(api, { organiseId: fixture.swift.id }), 900)
})

const list = async (token: string, query: object = {}) =>
  (await api.call(token, accountDetail.list, { query: { pageSize: 500, ...query } as never })).data.rows
const account = async (kind: number, query: object = {}) =>
  (await list(fixture.green.admin.token, { kind, ...query })).find((row) => row.kind === kind)
const fen = (yuan: string) => (yuan.startsWith('-') ? -1n : 1n) * (parseYuan(yuan.replace('-', '')) ?? 0n)

/** Moves entries into the past. Entries are immutable, so the trigger is disabled meanwhile. */
async function age(days: number, ref: string): Promise<void> {
  await api.sql(`alter table entry disable trigger never_changes`)
  await api.sql(`update entry set posted_at = posted_at - make_interval(days => $1) where ref = $2`, [days, ref])
  await api.sql(`alter table entry enable trigger never_changes`)
}
const seal = () =>
  until(async () => {
    await api.sql('select app.seal_ledger()')
    const [edge] = await api.sql<{ open: boolean }>(
      "select coalesce(max(xid), '0') >= (select upto from ledger_edge) as open from posting",
    )
    return edge?.open === false ? true : undefined
  })
const lastRef = async () =>
  (await api.sql<{ ref: string }>('select ref from posting order by id desc limit 1'))[0]?.ref ?? ''
const dayBack = (days: number) => new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)

describe('a stranger', () => {
  it('sees no account and no entry of another organisation', async () => {
    const [foreign] = await api.sql<{ id: string }>('select id from account where organise_id = $1', [fixture.swift.id])
    const { token } = fixture.green.admin
    expect((await list(token)).map((row) => row.id)).not.toContain(foreign?.id)
    const reply = await api.call(token, accountDetail.entries, { params: { id: foreign?.id ?? '' } })
    expect(reply.status).toBe(404)
  })

  it('at an agent or site sees the accounts of its members and sites, not the organisation’s', async () => {
    await recharge(api, member, 100)
    const [own] = await api.sql<{ id: string }>('select id from account where kind = $1 and organise_id = $2', [
      channel,
      fixture.green.id,
    ])
    for (const who of ['agent', 'subAgent', 'site'] as const) {
      const rows = await list(fixture.green[who].token)
      expect(rows.map((row) => row.ownerId)).toContain(member.id)
      expect(rows.every((row) => row.kind !== channel)).toBe(true)
      const reply = await api.call(fixture.green[who].token, accountDetail.entries, { params: { id: own?.id ?? '' } })
      expect(reply.status).toBe(404)
    }
  })
})

describe('an account', () => {
  it('equals its entries for any period, both with a stored balance and as a collecting account', async () => {
    const { id: organiseId, siteId } = fixture.green
    for (const [days, amount] of [
      [27, 5_000],
      [27, 300],
      [9, 250],
      [3, 120],
      [0, 77],
    ] as const) {
      await recharge(api, member, amount)
      await age(days, await lastRef())
    }
    // Some entries are sealed into daily sums, some are not.
    await seal()
    await postLines(api, organiseId, 'bill', [
      ['memberPaid', member.id, -130],
      ['siteService', siteId, 130],
    ])
    await age(2, await lastRef())
    await recharge(api, member, 11)
    await postLines(api, organiseId, 'correction', [
      ['siteService', siteId, -30],
      ['memberPaid', member.id, 30],
    ])
    // The stored balances must follow the changed times.
    await api.sql('alter table entry disable trigger never_changes')
    await api.sql(
      `update entry set balance_fen = fixed.balance, seq = fixed.seq from (
         select posting_id, line, posted_at, sum(amount_fen) over walk as balance, row_number() over walk as seq from entry
         where seq is not null window walk as (partition by account_id order by posted_at, posting_id)) fixed
       where fixed.posting_id = entry.posting_id and fixed.line = entry.line and fixed.posted_at = entry.posted_at`,
    )
    await api.sql('alter table entry enable trigger never_changes')
    // The daily sums, too.
    await api.sql(
      `insert into account_day (account_id, day, organise_id, agent_id, site_id, in_fen, out_fen, entries)
       select account_id, (posted_at at time zone 'Asia/Shanghai')::date, organise_id, agent_id, site_id,
         sum(greatest(amount_fen, 0)), sum(greatest(-amount_fen, 0)), count(*) from entry where later < (select upto from ledger_edge)
       group by 1, 2, 3, 4, 5 on conflict (account_id, day) do update set in_fen = excluded.in_fen, out_fen = excluded.out_fen`,
    )
    for (const kind of [memberPaid, channel, siteService]) {
      for (const [first, last] of [
        [0, 0],
        [2, 0],
        [9, 3],
        [8, 4],
        [28, 27],
        [60, 0],
        [2, 2],
      ] as const) {
        const [from, to] = [dayBack(first), dayBack(last)]
        const row = await account(kind, { from, to, ...(kind === memberPaid ? { ownerId: member.id } : {}) })
        expect(row, `${kind}`).toBeDefined()
        const [sums] = await api.sql<{ opening: string; income: string; expense: string; closing: string }>(
          `select coalesce(sum(amount_fen) filter (where day < $2), 0)::text as opening,
             coalesce(sum(amount_fen) filter (where amount_fen > 0 and day between $2 and $3), 0)::text as income,
             coalesce(-sum(amount_fen) filter (where amount_fen < 0 and day between $2 and $3), 0)::text as expense,
             coalesce(sum(amount_fen) filter (where day <= $3), 0)::text as closing
           from (select amount_fen, (posted_at at time zone 'Asia/Shanghai')::date as day from entry where account_id = $1) of_account`,
          [row?.id, from, to],
        )
        const shown = [row?.opening, row?.income, row?.expense, row?.closing].map((yuan) => fen(yuan ?? '').toString())
        const { opening = '', income = '', expense = '', closing = '' } = sums ?? {}
        // The list shows channel balances with the opposite sign of the ledger.
        const mirrored = (text: string) => (-BigInt(text)).toString()
        const expected =
          kind === channel
            ? [mirrored(opening), expense, income, mirrored(closing)]
            : [opening, income, expense, closing]
        expect(shown, `${kind} ${from} ${to}`).toEqual(expected)
      }
    }
  })

  it('shows its owner, its reserved amount, and its available amount', async () => {
    const { id: organiseId } = fixture.green
    const one = await makeMember(api, { organiseId, nickname: '阿珍' })
    await recharge(api, one, 1_000)
    await postLines(api, organiseId, 'hold', [
      ['memberPaid', one.id, -400],
      ['memberPaidHeld', one.id, 400],
    ])
    expect(await account(memberPaid, { ownerId: one.id })).toMatchObject({
      ownerName: '阿珍',
      memberId: one.id,
      closing: '6.00',
      frozen: '4.00',
      available: '6.00',
    })
    const atChannel = await account(channel)
    expect(fen(atChannel?.closing ?? '')).toBeGreaterThan(0n)
    expect(atChannel).toMatchObject({
      ownerName: expect.stringMatching(/^微信 · /) as string,
      memberId: null,
      frozen: null,
      available: null,
    })
    expect(await account(adjustment)).toBeUndefined()
  })

  it('of a member that came to a site is shown from that moment, with the balance brought along', async () => {
    const { id: organiseId, subAgentId, siteId, subAgent } = fixture.green
    const one = await makeMember(api, { organiseId, nickname: '后来的' })
    await recharge(api, one, 700)
    await api.sql('update member set agent_id = $2, site_id = $3 where id = $1', [one.id, subAgentId, siteId])
    const shown = async () => (await list(subAgent.token, { kind: memberPaid, ownerId: one.id }))[0]
    expect(await shown()).toMatchObject({ opening: '7.00', income: '0.00', closing: '7.00', available: '7.00' })
    await recharge(api, one, 100)
    expect(await shown()).toMatchObject({ opening: '7.00', income: '1.00', closing: '8.00', available: '8.00' })
    const whole = await account(memberPaid, { ownerId: one.id })
    expect(whole).toMatchObject({ opening: '0.00', income: '8.00', closing: '8.00' })
  })

  it('is listed from the organisation’s own to the members’, page by page', async () => {
    const kinds: number[] = []
    let cursor: string | undefined
    for (let pageNum = 1; pageNum < 20; pageNum++) {
      const query = { pageNum, pageSize: 2, ...(cursor === undefined ? {} : { cursor }) }
      const { data } = await api.call(fixture.platform.root.token, accountDetail.list, { query: query as never })
      kinds.push(...data.rows.map((row) => row.kind))
      if (data.cursor === null) break
      cursor = data.cursor
    }
    const [count] = await api.sql<{ n: number }>('select count(*)::int as n from account')
    expect(kinds).toHaveLength(count?.n ?? 0)
    expect(kinds).toEqual(kinds.toSorted((a, b) => b - a))
  })
})

describe('entries', () => {
  it('are paged without loss, with the balance after each if the account stores it', async () => {
    const { id: organiseId } = fixture.green
    const one = await makeMember(api, { organiseId })
    for (let i = 1; i <= 5; i++) await recharge(api, one, i)
    const { token } = fixture.green.admin
    const read = async (id: string) => {
      const seen: { amount: string; balance: string | null }[] = []
      let cursor: string | undefined
      for (let pageNum = 1; pageNum < 40; pageNum++) {
        const query = { pageNum, pageSize: 2, ...(cursor === undefined ? {} : { cursor }) }
        const { data } = await api.call(token, accountDetail.entries, { params: { id }, query: query as never })
        seen.push(...data.rows)
        if (data.cursor === null) break
        cursor = data.cursor
      }
      return seen
    }
    const paid = await read((await account(memberPaid, { ownerId: one.id }))?.id ?? '')
    expect(paid.map(({ amount, balance }) => [amount, balance])).toEqual([
      ['0.05', '0.15'],
      ['0.04', '0.10'],
      ['0.03', '0.06'],
      ['0.02', '0.03'],
      ['0.01', '0.01'],
    ])
    const collecting = (await account(channel))?.id ?? ''
    const [count] = await api.sql<{ n: number }>('select count(*)::int as n from entry where account_id = $1', [
      collecting,
    ])
    const collected = await read(collecting)
    expect(collected).toHaveLength(count?.n ?? 0)
    expect(collected.every(({ balance }) => balance === null)).toBe(true)
    expect(collected.every(({ amount }) => !amount.startsWith('-'))).toBe(true)
  })
})

describe('the days of a statement', () => {
  const now = Date.UTC(2026, 10, 15, 17) // the sixteenth in Shanghai
  it('are the last thirty by default', () => {
    expect(daysOf({}, now)).toEqual({ from: '2026-10-18', to: '2026-11-16' })
    expect(daysOf({ to: '2026-03-01' }, now)).toEqual({ from: '2026-01-31', to: '2026-03-01' })
    expect(daysOf({ from: '2026-11-01' }, now)).toEqual({ from: '2026-11-01', to: '2026-11-16' })
  })
  it('follow a start date, for a year at most', async () => {
    expect(() => daysOf({ from: '2026-11-02', to: '2026-11-01' }, now)).toThrow('结束日期不能早于开始日期')
    expect(() => daysOf({ from: '2025-11-15' }, now)).toThrow('最多查询366天')
    const { token } = fixture.green.admin
    const query = { from: '2020-01-01', to: '2026-01-01' } as never
    expect((await api.call(token, accountDetail.list, { query })).status).toBe(422)
  })
})
