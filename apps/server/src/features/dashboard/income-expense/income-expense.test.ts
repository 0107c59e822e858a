import { incomeExpense, incomeExpenseList, incomeExpenseType } from '@wattdeck/contract/dashboard/income-expense.ts'
import { parseYuan } from '@wattdeck/domain/money.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { sheetOf, titlesOf } from '../../../../test/fixtures/export-sheet.ts'
import { makeMember, type Member, postLines, recharge } from '../../../../test/fixtures/members.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, makePerson } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'

const menus = ['2', '2.5']
const api = await startApi()
const fixture = await makeFixture(api)
const { green, swift } = fixture
const types = incomeExpenseType.code
let member: Member

type Query = { pageSize?: number; cursor?: string; pageNum?: number } & Record<string, string | number | undefined>
const page = async (by: { token: string }, query: Query = {}) =>
  (await api.call(by.token, incomeExpense.list, { query: { pageSize: 500, ...query } as never })).data
const rowsFor = async (by: { token: string }, query: Query = {}) => (await page(by, query)).rows
const totals = async (by: { token: string }, query: object = {}) =>
  (await api.call(by.token, incomeExpense.totals, { query: query as never })).data.sums
const fen = (yuan: string) => (yuan.startsWith('-') ? -1n : 1n) * (parseYuan(yuan.replace('-', '')) ?? 0n)

type Rows = Awaited<ReturnType<typeof rowsFor>>
const sumOf = (rows: Rows, part: number, direction: number) =>
  rows.filter((row) => row.part === part && row.direction === direction).reduce((sum, row) => sum + fen(row.amount), 0n)
const sumsOf = (rows: Rows) => [sumOf(rows, 1, 1), sumOf(rows, 1, 2), sumOf(rows, 2, 1), sumOf(rows, 2, 2)]
const totalsInFen = async (by: { token: string }, query: object = {}) => {
  const { income, expense, received, paidBack, net, balance } = await totals(by, query)
  expect([fen(net), fen(balance)]).toEqual([fen(income) - fen(expense), fen(received) - fen(paidBack)])
  return [income, expense, received, paidBack].map(fen)
}

let refs = 0
/** A bill at a site, its reference, and what others bear of it. */
async function bill(brand: typeof green, siteId: string, amounts: [number, number], subsidy = 0): Promise<string> {
  const ref = String(900_000_000 + ++refs)
  const [electricity, service] = amounts
  await postLines(
    api,
    brand.id,
    'bill',
    [
      ['memberPaid', brand === green ? member.id : foreign.id, -(electricity + service)],
      ['siteElectricity', siteId, electricity],
      ['siteService', siteId, service],
      ...(subsidy === 0
        ? []
        : ([
            ['siteSubsidy', siteId, subsidy],
            ['discountAgent', brand.agentId, -subsidy],
          ] as const)),
    ] as never,
    ref,
  )
  return ref
}
let foreign: Member

const seal = () =>
  until(async () => {
    await api.sql('select app.seal_ledger()')
    const [edge] = await api.sql<{ open: boolean }>(
      "select coalesce(max(xid), '0') >= (select upto from ledger_edge) as open from posting",
    )
    return edge?.open === false ? true : undefined
  })
/** Moves the entries of a reference to another time. Entries are immutable, so the trigger is disabled meanwhile. */
async function bookAt(ref: string, moment: string): Promise<void> {
  await api.sql('alter table entry disable trigger never_changes')
  await api.sql(`update entry set posted_at = ${moment} where ref = $1`, [ref])
  await api.sql('alter table entry enable trigger never_changes')
}

beforeAll(async () => {
  member = await makeMember(api, { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId })
  foreign = await makeMember(api, { organiseId: swift.id })
  await recharge(api, member, 100_000, 5000)
  await recharge(api, foreign, 100_000)
})

describe('a stranger', () => {
  it('sees no entry of another organisation and no sum of it', async () => {
    const ref = await bill(swift, swift.siteId, [300, 100])
    expect((await rowsFor(swift.admin)).map((row) => row.ref)).toContain(ref)
    expect((await rowsFor(green.admin)).map((row) => row.ref)).not.toContain(ref)
    expect(await rowsFor(green.admin, { organiseId: swift.id })).toEqual([])
    expect(await rowsFor(green.admin, { siteId: swift.siteId })).toEqual([])
    expect(await totalsInFen(green.admin, { organiseId: swift.id })).toEqual([0n, 0n, 0n, 0n])
    expect(new Set((await rowsFor(swift.admin)).map((row) => row.organiseId))).toEqual(new Set([swift.id]))
  })

  it('without the menu reads neither rows nor sums', async () => {
    const nobody = await makePerson(api, { organiseId: green.id, loginName: 'no_book', menus: ['2', '2.1'] })
    expect((await api.call(nobody.token, incomeExpense.list)).status).toBe(403)
    expect((await api.call(nobody.token, incomeExpense.totals)).status).toBe(403)
  })
})

describe('a scope', () => {
  it('has what concerns it: a site its income, an agent also what it bears, an organisation the money', async () => {
    const [other] = await api.sql<{ id: string }>(
      "insert into site (organise_id, name) values ($1, '机构直属站点') returning id",
      [green.id],
    )
    const own = await bill(green, green.siteId, [200, 50], 30)
    const elsewhere = await bill(green, other?.id ?? '', [70, 30])
    const typesOf = async (by: Actor, ref: string) =>
      (await rowsFor(by)).filter((row) => row.ref === ref).map((row) => row.type)
    const sorted = (codes: number[]) => codes.toSorted((a, b) => a - b)
    const { electricity, service, subsidy, discount } = types
    expect(sorted(await typesOf(green.site, own))).toEqual([electricity, service, subsidy])
    // The site is of the agent below; the agent above bears the discount.
    expect(sorted(await typesOf(green.subAgent, own))).toEqual([electricity, service, subsidy])
    expect(sorted(await typesOf(green.agent, own))).toEqual([electricity, service, subsidy, discount])
    expect(sorted(await typesOf(green.admin, own))).toEqual([electricity, service, subsidy, discount])
    for (const by of [green.site, green.subAgent, green.agent]) {
      expect(await typesOf(by, elsewhere)).toEqual([])
      expect((await rowsFor(by)).every((row) => row.part === 1)).toBe(true)
    }
    expect(sorted(await typesOf(green.admin, elsewhere))).toEqual([electricity, service])
    expect((await rowsFor(green.admin)).map((row) => row.type)).toEqual(
      expect.arrayContaining([types.received, types.gift]),
    )
    for (const by of [green.site, green.subAgent, green.agent, green.admin])
      expect(await totalsInFen(by)).toEqual(sumsOf(await rowsFor(by)))
  })

  it('is narrowed by its filters, also for the platform', async () => {
    const root = fixture.platform.root
    for (const by of [root, green.admin])
      for (const query of [{ organiseId: green.id }, { agentId: green.agentId }, { siteId: green.siteId }]) {
        const rows = await rowsFor(by, query)
        expect(rows.length).toBeGreaterThan(0)
        expect(await totalsInFen(by, query)).toEqual(sumsOf(rows))
        expect(new Set(rows.map((row) => row.organiseId))).toEqual(new Set([green.id]))
      }
    expect((await rowsFor(green.admin, { siteId: green.siteId })).every((row) => row.siteId === green.siteId)).toBe(
      true,
    )
    expect(new Set((await rowsFor(root)).map((row) => row.organiseId))).toEqual(new Set([green.id, swift.id]))
  })

  it('of an agent has a site from the day on which the site became its own', async () => {
    const [site] = await api.sql<{ id: string }>(
      "insert into site (organise_id, agent_id, name) values ($1, $2, '转入的站点') returning id",
      [green.id, green.agentId],
    )
    const siteId = site?.id ?? ''
    const before = await bill(green, siteId, [11, 5])
    await bookAt(before, "now() - interval '2 days'")
    await api.sql('update site set agent_id = $2 where id = $1', [siteId, green.subAgentId])
    const after = await bill(green, siteId, [12, 6])
    const refsOf = async (by: Actor) => (await rowsFor(by, { siteId })).map((row) => row.ref)
    expect(new Set(await refsOf(green.subAgent))).toEqual(new Set([after]))
    expect(new Set(await refsOf(green.admin))).toEqual(new Set([before, after]))
  })
})

describe('a page', () => {
  it('is the newest first, and pages of any size are the whole without a repetition, sealed or not', async () => {
    const sites = await api.sql<{ id: string }>(
      "insert into site (organise_id, name) select $1, '站点' || n from generate_series(1, 12) n returning id",
      [swift.id],
    )
    for (const [at, { id }] of [...sites, ...sites.toReversed()].entries()) await bill(swift, id, [at + 1, at + 2])
    const ids = async (query: Query) => {
      const whole = await rowsFor(swift.admin, query)
      const found: string[] = []
      let cursor: string | undefined
      for (let pageNum = 1; pageNum < 100; pageNum++) {
        const next = await page(swift.admin, {
          ...query,
          pageSize: 7,
          pageNum,
          ...(cursor === undefined ? {} : { cursor }),
        })
        expect(next.total).toBe(whole.length)
        found.push(...next.rows.map((row) => row.id))
        cursor = next.cursor ?? undefined
        if (cursor === undefined) break
      }
      expect(found).toEqual(whole.map((row) => row.id))
      const times = whole.map((row) => Date.parse(row.at))
      expect(times).toEqual(times.toSorted((a, b) => b - a))
      return found
    }
    const open = await ids({})
    expect(open.length).toBeGreaterThan(48)
    await ids({ type: types.service })
    await seal()
    await bill(swift, sites[0]?.id ?? '', [1, 1])
    expect((await ids({})).slice(2)).toEqual(open)
    // A page by its number, without a cursor.
    const third = await page(swift.admin, { pageSize: 5, pageNum: 3 })
    expect(third.rows.map((row) => row.id)).toEqual((await ids({})).slice(10, 15))
  })

  it('crosses the border of two months, to the microsecond', async () => {
    const { token } = green.admin
    const border = "date_trunc('month', now(), 'Asia/Shanghai')"
    const [site] = await api.sql<{ id: string }>(
      "insert into site (organise_id, name) values ($1, '跨月站点') returning id",
      [green.id],
    )
    const siteId = site?.id ?? ''
    const [last, first] = [await bill(green, siteId, [101, 1]), await bill(green, siteId, [102, 2])]
    await bookAt(last, `${border} - interval '1 microsecond'`)
    await bookAt(first, border)
    await seal()
    const [day] = await api.sql<{ last: string; first: string }>(
      `select (${border} at time zone 'Asia/Shanghai')::date::text as first, ((${border} at time zone 'Asia/Shanghai')::date - 1)::text as last`,
    )
    const refsOf = async (from: string | undefined, to: string | undefined) =>
      (await rowsFor({ token }, { siteId, from, to })).map((row) => row.ref)
    expect(await refsOf(day?.last, day?.last)).toEqual([last, last])
    expect(await refsOf(day?.first, day?.first)).toEqual([first, first])
    expect(await refsOf(day?.last, day?.first)).toEqual([first, first, last, last])
    for (const query of [
      { siteId, from: day?.last, to: day?.last },
      { siteId, from: day?.first, to: day?.first },
      { siteId, from: day?.last, to: day?.first },
    ])
      expect(await totalsInFen({ token }, query)).toEqual(sumsOf(await rowsFor({ token }, query)))
    const both = { siteId, from: day?.last, to: day?.first, pageSize: 3 }
    const small = await page({ token }, both)
    const rest = await page({ token }, { ...both, pageNum: 2, cursor: small.cursor ?? '' })
    expect([...small.rows, ...rest.rows].map((row) => row.ref)).toEqual([first, first, last, last])
  })

  it('spans at most 31 days, and the last seven days without a choice', async () => {
    const call = (query: object) => api.call(green.admin.token, incomeExpense.list, { query: query as never })
    expect((await call({ from: '2026-01-01', to: '2026-01-31' })).status).toBe(200)
    expect(await call({ from: '2026-01-01', to: '2026-02-01' })).toMatchObject({ status: 422, message: '最多查询31天' })
    expect((await call({ from: '2026-02-01', to: '2026-01-01' })).status).toBe(422)
    const old = await bill(green, green.siteId, [7, 7])
    await bookAt(old, "now() - interval '8 days'")
    expect((await rowsFor(green.admin)).map((row) => row.ref)).not.toContain(old)
  })
})

describe('a filter', () => {
  it('of type, direction or part selects the rows of its sums, before and after they are sealed', async () => {
    await postLines(api, green.id, 'refund', [
      ['siteElectricity', green.siteId, -9],
      ['memberPaid', member.id, 9],
    ])
    await postLines(api, green.id, 'refund', [
      ['channel', '9', 8],
      ['memberPaid', member.id, -8],
    ])
    const check = async () => {
      const whole = await rowsFor(green.admin)
      for (const query of [
        ...Object.values(types).map((type) => ({ type })),
        { direction: 1 },
        { direction: 2 },
        { part: 1 },
        { part: 2 },
        { part: 1, direction: 2 },
        { type: types.electricity, direction: 2 },
      ]) {
        const rows = await rowsFor(green.admin, query)
        const expected = whole.filter((row) =>
          Object.entries(query).every(([name, value]) => row[name as 'type'] === value),
        )
        expect(rows, JSON.stringify(query)).toEqual(expected)
        expect(await totalsInFen(green.admin, query), JSON.stringify(query)).toEqual(sumsOf(expected))
      }
    }
    await check()
    await seal()
    await check()
  })
})

it('is exported with the rows of the page, for those who may export', async () => {
  const query = { type: types.electricity, siteId: green.siteId }
  const rows = await rowsFor(green.admin, query)
  const file = await sheetOf(
    api,
    green.admin.token,
    incomeExpense.exportList,
    titlesOf(incomeExpenseList),
    `type=${types.electricity}&siteId=${green.siteId}`,
  )
  expect(file.map((row) => [row['流水号'], row['类型'], row['收支方向'], row['金额']])).toEqual(
    rows.map((row) => [row.id, '充电电费', '收入', Number(row.amount)]),
  )
  const reader = await makePerson(api, { organiseId: green.id, loginName: 'reads_book', menus, actions: false })
  const refused = await api.call(reader.token, incomeExpense.exportList, { body: { columns: 'id' } as never })
  expect(refused.status).toBe(403)
  expect((await api.call(reader.token, incomeExpense.list)).status).toBe(200)
})
