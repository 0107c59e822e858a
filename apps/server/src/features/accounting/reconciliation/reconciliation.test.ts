import { breakKind, breakStatus, repairAction, runStatus } from '@wattdeck/contract/accounting/recon-codes.ts'
import { reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atTier } from '../../../../../../tools/check/tier.ts'
import { makeOpenApp, makePayer } from '../../../../test/fixtures/charging.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import * as payments from '../../../../test/fixtures/payments.ts'
import {
  type Actor,
  makePerson,
  makeFixture,
  openSession,
  tenantMenus,
  type Fixture,
} from '../../../../test/harness/people.ts'
import * as days from '../../../../test/fixtures/recon-day.ts'
import { until } from '../../../../test/harness/until.ts'

let there: payments.PayContext
let people: Fixture
let trader: payments.Trader
let checker: Actor
let worker: Awaited<ReturnType<payments.PayContext['startWorker']>>
let day: days.Day
let deviceId: string

// The planted differences use numbers up to 900.
const recharges = atTier(1200, 10_000)
const charges = atTier(1200, 10_000)
beforeAll(async () => {
  there = await payments.startPayFixture()
  people = await makeFixture(there.api)
  checker = await makePerson(there.api, {
    organiseId: people.green.id,
    loginName: 'green_checker',
    menus: [...tenantMenus],
  })
  const models = await makeModels(there.api)
  const { id, subAgentId, siteId } = people.green
  deviceId = await makeDevice(there.api, { organiseId: id, agentId: subAgentId, siteId, typeId: models.dny })
  trader = await payments.makeTrader(there, id)
  day = await days.makeDay(there, trader, { place: people.green, deviceId, recharges, charges })
  worker = await there.startWorker()
})
afterAll(() => worker.stop())

const token = () => people.green.admin.token
const sql = <T extends object>(text: string, values: unknown[] = []) => there.api.sql<T>(text, values)
const stopped = async (organiseId = people.green.id) =>
  (await sql<{ stopped: boolean }>('select app.settlement_stopped($1) as stopped', [organiseId]))[0]?.stopped

/** Starts the reconciliation of a day and waits for its end. */
async function run(on: string, who = token()): Promise<void> {
  const [before] = await sql<{ at: string }>('select clock_timestamp()::text as at')
  const reply = await there.api.call(who, reconciliation.run, { body: { day: on } })
  expect(reply.status).toBe(200)
  await until(async () => {
    const rows = await sql<{ done: boolean }>(
      `select status in (3, 4) and finished_at > $2::timestamptz as done from recon_run where day = $1::date and organise_id = $3`,
      [on, before?.at, people.green.id],
    )
    return rows.length === 2 && rows.every(({ done }) => done) ? true : undefined
  })
}

type BreakSummary = { pair: number; kind: number; subject: string; status: number }
const breaks = (on: string) =>
  sql<BreakSummary>('select pair, kind, subject, status from recon_break where day = $1::date and organise_id = $2', [
    on,
    people.green.id,
  ])
const keyOf = ({ pair, kind, subject }: Omit<BreakSummary, 'status'>) => `${pair}/${kind}/${subject}`
const openOnes = async (on: string) =>
  (await breaks(on))
    .filter(({ status }) => status === breakStatus.code.open)
    .map(keyOf)
    .toSorted()

it('finds no difference in a day whose records agree', async () => {
  // Cases that are no difference: unpaid, cancelled, a one-fen test, decided by a reviewer, settled by force, a zero
  // bill.
  await days.addPayments(there.api, trader, people.green, { from: 900_001, to: 900_020 }, { status: 1 })
  await days.addPayments(there.api, trader, people.green, { from: 900_021, to: 900_040 }, { status: 3 })
  await sql(
    `update charging_order set decided_by = '张三', decision = '复核', settlement = '{"energyWh":99,"durationS":1}' where id = $1`,
    [day.id(1)],
  )
  await sql(`update charging_order set decided_by = '张三', decision = '强制结算', settlement = null where id = $1`, [
    day.id(2),
  ])
  await days.addCharges(there.api, people.green, deviceId, { from: 900_001, to: 900_003 })
  await sql(
    'update charging_order set electricity_fen = 0, service_fen = 0, total_fen = 0, paid_fen = 0 where id between $1 and $2',
    [day.id(900_001), day.id(900_003)],
  )
  await run(day.day)
  expect(await breaks(day.day)).toEqual([])
  expect(await stopped()).toBe(false)
  const { data } = await there.api.call(token(), reconciliation.runs, { query: { from: day.day, to: day.day } })
  expect(data.rows).toHaveLength(2)
  for (const row of data.rows) expect(row).toMatchObject({ status: runStatus.code.even, openBreaks: 0, problem: null })
  const bill = data.rows.find(({ merchantName }) => merchantName !== null)
  expect(bill).toMatchObject({ ownCount: recharges, otherCount: recharges })
  expect(bill?.ownAmount).toBe(bill?.otherAmount)
})

const { code } = breakKind
const expectedBreaks: { now: string[]; later: string[]; gone: string[] } = { now: [], later: [], gone: [] }
const channel = (kind: number, subject: string) => expectedBreaks.now.push(`1/${kind}/${subject}`)
const ledger = (kind: number, subject: string) => expectedBreaks.now.push(`2/${kind}/${subject}`)
const each = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n)
const member = (n: number) => day.members[n % 50] ?? ''
const tradeOf = (n: number) => there.sandbox.trades.find(({ payNo }) => payNo === `P${day.id(n)}`)

async function plantInBill(): Promise<void> {
  const plant = (one: Parameters<typeof there.sandbox.plant>[1]) => there.sandbox.plant(trader.merchantNo, one)
  for (const n of each(100, 20)) {
    plant({ kind: 'drop', no: `P${day.id(n)}` })
    channel(code.missing, `P${day.id(n)}`)
  }
  for (const n of each(1, 10)) {
    plant({ kind: 'add', day: day.day, payNo: `STRAY${n}`, fen: 500 + n })
    channel(code.extra, `STRAY${n}`)
  }
  // Cancelled in our records, but paid at the provider.
  for (const n of each(900_021, 10)) {
    days.addTrade(there.sandbox, trader, { id: day.id(n), fen: 60, at: new Date(`${day.day}T12:00:00+08:00`) })
    channel(code.extra, `P${day.id(n)}`)
  }
  for (const n of each(200, 15)) {
    plant({ kind: 'amount', no: `P${day.id(n)}`, fen: 3 })
    channel(code.amount, `P${day.id(n)}`)
  }
  for (const n of each(300, 15)) {
    plant({ kind: 'fee', no: `P${day.id(n)}`, fen: 77 })
    channel(code.fee, `P${day.id(n)}`)
  }
  for (const n of each(400, 15)) {
    const trade = tradeOf(n)
    if (trade !== undefined) there.sandbox.trades.push({ ...trade })
    channel(code.duplicate, `P${day.id(n)}`)
  }
  // Appears in the bill of the next day: five payments at noon, reported as missing at first, and five shortly before
  // midnight.
  for (const n of each(500, 5)) {
    plant({ kind: 'nextDay', no: `P${day.id(n)}` })
    channel(code.missing, `P${day.id(n)}`)
    expectedBreaks.gone.push(`1/${code.late}/P${day.id(n)}`)
  }
  const night = new Date(`${day.day}T23:50:00+08:00`)
  await sql('update pay_order set paid_at = $3 where id between $1 and $2', [
    day.id(505),
    day.id(509),
    night.toISOString(),
  ])
  for (const n of each(505, 5)) {
    Object.assign(tradeOf(n) ?? {}, { paidAt: night })
    plant({ kind: 'nextDay', no: `P${day.id(n)}` })
    channel(code.late, `P${day.id(n)}`)
  }
}

async function addRefund(n: number, status: number): Promise<void> {
  const { id } = day
  await sql('update pay_order set refunded_fen = 10 where id = $1', [id(n)])
  await sql(
    `insert into pay_refund (id, organise_id, pay_order_id, merchant_id, amount_fen, purpose, ref_id, reason, status, created_at, arrived_at)
     select id, organise_id, id, merchant_id, 10, 1, id, '退款', $2::smallint, paid_at, case when $2::smallint = 3 then paid_at end from pay_order where id = $1`,
    [id(n), status],
  )
  const aside: [number, string, number][] = [
    [1, member(n), -10],
    [53, '1', 10],
  ]
  await days.bookOne(there.api, people.green, { key: `aside/${n}`, kind: 6, ref: `T${n}`, lines: aside })
}
const bookBack = (n: number) =>
  days.bookOne(there.api, people.green, {
    key: `back/${n}`,
    kind: 6,
    ref: `R${day.id(n)}`,
    lines: [
      [53, '1', -10],
      [51, '1', 10],
    ],
  })
const billBack = (n: number, refundNo = `R${day.id(n)}`) =>
  tradeOf(n)?.refunds.push({
    refundNo,
    refundId: `50${n}`,
    fen: 10,
    reason: '退款',
    notifyUrl: undefined,
    state: 'SUCCESS',
    askedAt: new Date(`${day.day}T12:00:00+08:00`),
    doneAt: new Date(`${day.day}T12:00:00+08:00`),
  })

async function plantRefunds(): Promise<void> {
  // Consistent records.
  for (const n of each(600, 10)) {
    await addRefund(n, 3)
    await bookBack(n)
    billBack(n)
  }
  for (const n of each(610, 10)) {
    await addRefund(n, 2)
    billBack(n)
    channel(code.refund, `R${day.id(n)}`)
  }
  for (const n of each(620, 5)) {
    billBack(n, `STRAYBACK${n}`)
    channel(code.refund, `STRAYBACK${n}`)
  }
  for (const n of each(630, 10)) {
    await addRefund(n, 3)
    await bookBack(n)
    channel(code.refund, `R${day.id(n)}`)
  }
  for (const n of each(640, 5)) {
    await addRefund(n, 3)
    billBack(n)
    ledger(code.refund, `R${day.id(n)}`)
  }
}

async function plantPayments(): Promise<void> {
  const span = (from: number, count: number) => ({ from, to: from + count - 1 })
  const firstOwn = days.ownNumbers
  for (const from of [firstOwn, firstOwn + 20]) {
    await days.addPayments(there.api, trader, people.green, span(from, 10))
    for (const n of each(from, 10)) {
      const [row] = await sql<{ fen: string }>('select amount_fen as fen from pay_order where id = $1', [day.id(n)])
      const at = new Date(`${day.day}T12:00:00+08:00`)
      days.addTrade(there.sandbox, trader, { id: day.id(n), fen: Number(row?.fen), at })
    }
  }
  for (const n of each(firstOwn, 10)) ledger(code.unbooked, `P${day.id(n)}`)
  for (const n of each(firstOwn + 20, 10)) {
    const lines: [number, string, number][] = [
      [51, '1', -7],
      [1, member(n), 7],
    ]
    await days.bookOne(there.api, people.green, { key: `odd/${n}`, kind: 1, ref: `P${day.id(n)}`, lines })
    ledger(code.amount, `P${day.id(n)}`)
  }
  for (const n of each(700, 10)) {
    const lines: [number, string, number][] = [
      [51, '1', -20],
      [1, member(n), 20],
    ]
    await days.bookOne(there.api, people.green, { key: `twice/${n}`, kind: 1, ref: `P${day.id(n)}`, lines })
    ledger(code.duplicate, `P${day.id(n)}`)
  }
}

async function plantOrders(): Promise<void> {
  const firstOwn = days.ownNumbers
  await days.addCharges(there.api, people.green, deviceId, { from: firstOwn, to: firstOwn + 9 })
  for (const n of each(firstOwn, 10)) ledger(code.unbooked, day.id(n))
  const bill = (n: number, ref: string): Parameters<typeof days.bookOne>[2] => ({
    key: `bill/${n}/${ref}`,
    kind: 5,
    ref,
    lines: [
      [3, member(n), -10],
      [21, people.green.siteId, 6],
      [22, people.green.siteId, 4],
    ],
  })
  for (const n of each(800, 10)) {
    await days.bookOne(there.api, people.green, bill(n, day.id(n)))
    ledger(code.duplicate, day.id(n))
  }
  await sql('update charging_order set electricity_fen = 4, service_fen = 6 where id between $1 and $2', [
    day.id(820),
    day.id(829),
  ])
  for (const n of each(820, 10)) ledger(code.amount, day.id(n))
  await sql(`update charging_order set settlement = '{"energyWh":11,"durationS":600}' where id between $1 and $2`, [
    day.id(840),
    day.id(844),
  ])
  await sql('update charging_order set settlement = null where id between $1 and $2', [day.id(845), day.id(849)])
  for (const n of each(840, 10)) expectedBreaks.now.push(`3/${code.device}/${day.id(n)}`)
  // Posted today for an unknown order, so the difference belongs to today.
  for (const n of each(860, 10)) {
    await days.bookOne(there.api, people.green, bill(n, `77${n}`))
    expectedBreaks.later.push(`2/${code.orphan}/77${n}`)
  }
  for (const n of each(880, 5)) {
    const lines: [number, string, number][] = [
      [51, '1', -9],
      [1, member(n), 9],
    ]
    await days.bookOne(there.api, people.green, { key: `orphan/${n}`, kind: 1, ref: `P88${n}`, lines })
    expectedBreaks.later.push(`2/${code.orphan}/P88${n}`)
  }
}

describe('two hundred planted differences', () => {
  beforeAll(async () => {
    await plantInBill()
    await plantRefunds()
    await plantPayments()
    await plantOrders()
  })

  it('are found with their kinds, and nothing else is found', async () => {
    await run(day.day)
    expect(expectedBreaks.now.length + expectedBreaks.later.length).toBeGreaterThanOrEqual(200)
    expect(await openOnes(day.day)).toEqual(expectedBreaks.now.toSorted())
    expect(await stopped()).toBe(true)
    const notifications = await sql("select body from notification where user_id = $1 and title = '对账发现差异'", [
      people.green.admin.id,
    ])
    expect(notifications.length).toBeGreaterThan(0)
  })

  it('are found once: a second run changes nothing', async () => {
    const before = await sql('select id, status, ours_fen, theirs_fen from recon_break order by id')
    await run(day.day)
    expect(await sql('select id, status, ours_fen, theirs_fen from recon_break order by id')).toEqual(before)
    expect(
      await sql('select 1 from channel_bill where merchant_id = $1 and day = $2::date', [trader.id, day.day]),
    ).toHaveLength(2)
  })

  it('that are only late are closed by the bill of the next day, and postings without an order are found', async () => {
    await run(day.today)
    expect(await openOnes(day.today)).toEqual(expectedBreaks.later.toSorted())
    // The previous day is reconciled again right after.
    const all = await until(async () => {
      const now = await breaks(day.day)
      return now.filter(({ kind }) => kind === code.late).length === 10 ? now : undefined
    })
    const late = all.filter(({ kind }) => kind === code.late)
    expect(late.every(({ status }) => status === breakStatus.code.gone)).toBe(true)
    for (const key of expectedBreaks.gone) expect(late.map(keyOf)).toContain(key)
    const missed = all.filter(({ kind, status }) => kind === code.missing && status === breakStatus.code.open)
    expect(missed).toHaveLength(20)
  })
})

const ledgerIsProven = async () => expect(await payments.ledgerBreaks(there.api)).toEqual([])

async function breakOf(key: string): Promise<string> {
  const [pair, kind, ...rest] = key.split('/')
  const [row] = await sql<{ id: string }>(
    'select id from recon_break where pair = $1 and kind = $2 and subject = $3 and organise_id = $4 order by id desc',
    [pair, kind, rest.join('/'), people.green.id],
  )
  return row?.id ?? ''
}
const ask = (id: string, action: number, who = token()) =>
  there.api.call(who, reconciliation.ask, { body: { id, action: String(action), reason: '已与渠道核实' } as never })
const approve = (repairId: string, who = checker.token) =>
  there.api.call(who, reconciliation.approve, { body: { repairId } })
const statusOf = async (id: string) =>
  (await sql<{ status: number }>('select status from recon_break where id = $1', [id]))[0]?.status

describe('a repair', () => {
  const kinds: [string, () => string, number][] = [
    ['of a payment the provider does not know takes it back', () => `1/${code.missing}/P${day.id(100)}`, 2],
    ['of such a payment can be borne by the organisation', () => `1/${code.missing}/P${day.id(101)}`, 3],
    ['of money nobody knew books it', () => `1/${code.extra}/STRAY1`, 2],
    ['of another amount books the difference', () => `1/${code.amount}/P${day.id(200)}`, 2],
    ['of another fee books the difference', () => `1/${code.fee}/P${day.id(300)}`, 2],
    ['of a payment twice in the bill books the second', () => `1/${code.duplicate}/P${day.id(400)}`, 2],
    ['of a refund nobody asked for books it', () => `1/${code.refund}/STRAYBACK620`, 2],
    ['of a refund the provider does not know puts it back', () => `1/${code.refund}/R${day.id(630)}`, 2],
    ['of a refund that was never booked books it', () => `2/${code.refund}/R${day.id(640)}`, 2],
    ['of a payment that was never booked books it', () => `2/${code.unbooked}/P${day.id(days.ownNumbers)}`, 2],
    [
      'of a payment booked with another amount books the rest',
      () => `2/${code.amount}/P${day.id(days.ownNumbers + 20)}`,
      2,
    ],
    ['of a payment booked twice takes the second back', () => `2/${code.duplicate}/P${day.id(700)}`, 2],
    ['of a bill that was never booked books it', () => `2/${code.unbooked}/${day.id(days.ownNumbers)}`, 2],
    ['of a bill booked twice takes the second back', () => `2/${code.duplicate}/${day.id(800)}`, 2],
    ['of a bill booked in other parts moves them', () => `2/${code.amount}/${day.id(820)}`, 2],
    ['of a booking without an order takes it back', () => `2/${code.orphan}/77860`, 2],
    ['of what the device said otherwise is an explanation', () => `3/${code.device}/${day.id(840)}`, 1],
  ]
  it.each(kinds)('%s, and the ledger passes its proof', async (_, key, action) => {
    const id = await breakOf(key())
    const { data: options } = await there.api.call(token(), reconciliation.options, { params: { id } })
    const option = options.find((one) => one.action === action)
    expect(option?.problem).toBeNull()
    const request = await ask(id, action)
    expect(request.status, request.message).toBe(200)
    expect(await statusOf(id)).toBe(breakStatus.code.open)
    const done = await approve(request.data.id)
    expect(done.status, done.message).toBe(200)
    const explained = action === repairAction.code.explain
    expect(await statusOf(id)).toBe(explained ? breakStatus.code.explained : breakStatus.code.repaired)
    // The posting equals the preview.
    const [row] = await sql<{ key: string | null }>('select repair_key as key from recon_break where id = $1', [id])
    const booked = await sql<{ kind: number; fen: string }>(
      `select account.kind, (sum(amount_fen) / 100.0)::numeric(20, 2)::text as fen from posting join entry on entry.posting_id = posting.id
       join account on account.id = account_id where posting.key = $1 group by account.id order by account.kind`,
      [row?.key],
    )
    expect(booked.map(({ kind, fen }) => `${kind} ${fen}`).toSorted()).toEqual(
      (option?.lines ?? []).map(({ account, amount }) => `${account} ${amount}`).toSorted(),
    )
  })

  it('leaves a correct ledger, and stays repaired after another run of the day', async () => {
    await ledgerIsProven()
    const before = await sql('select id, status from recon_break where status in (2, 3) order by id')
    expect(before).toHaveLength(kinds.length)
    await run(day.day)
    expect(await sql('select id, status from recon_break where status in (2, 3) order by id')).toEqual(before)
  })

  it('is decided by another person than its requester, whatever their role', async () => {
    const id = await breakOf(`1/${code.missing}/P${day.id(102)}`)
    for (const who of [people.green.admin, people.platform.root]) {
      const request = await ask(id, 1, who.token)
      const { id: repairId } = request.data
      expect(await approve(repairId, who.token)).toMatchObject({ status: 409, message: '不能审批自己提交的申请' })
      const refused = await there.api.call(who.token, reconciliation.turnDown, { body: { repairId, reason: '否' } })
      expect(refused.status).toBe(409)
      await expect(
        sql('update recon_repair set status = 2, decided_by_id = created_by_id, decided_at = now() where id = $1', [
          repairId,
        ]),
      ).rejects.toThrow('recon_repair_two_people')
      expect((await ask(id, 1, checker.token)).status).toBe(409)
      const withdraw = (by: string) => there.api.call(by, reconciliation.withdraw, { body: { repairId } })
      expect((await withdraw(checker.token)).status).toBe(409)
      expect((await withdraw(who.token)).status).toBe(200)
    }
    expect(await statusOf(id)).toBe(breakStatus.code.open)
    const borrowed = await openSession(there.api, checker.id)
    await sql('update session set acted_by = $2 where user_id = $1 and token_hash = sha256($3)', [
      checker.id,
      people.green.admin.id,
      Buffer.from(borrowed),
    ])
    expect((await ask(id, 1, borrowed)).status).toBe(403)
  })

  it('is posted once under concurrent approvals, and not at all after a rejection', async () => {
    const id = await breakOf(`1/${code.fee}/P${day.id(301)}`)
    const first = (await ask(id, 2)).data.id
    const turned = await there.api.call(checker.token, reconciliation.turnDown, {
      body: { repairId: first, reason: '再查' },
    })
    expect(turned.status).toBe(200)
    expect((await approve(first)).status).toBe(409)
    const second = (await ask(id, 2)).data.id
    const replies = await Promise.all(
      [checker, people.platform.root, people.platform.admin].map((who) => approve(second, who.token)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await sql('select 1 from posting where key like $1', [`recon/${id}/%`])).toHaveLength(1)
    await ledgerIsProven()
  })

  it('of a payment known only to the provider follows the provider query', async () => {
    const client = await makeOpenApp(there.api, people.green.id)
    const memberId = await makePayer(there.api, people.green.id, 0n)
    const rechargeNo = await payments.requestRecharge(client, memberId, '5.00')
    const codeUrl = await payments.codeOf(client, rechargeNo)
    await sql('update pay_order set look_at = null where ref_id = $1', [rechargeNo])
    there.sandbox.behave({ loseNotices: true }, trader.merchantNo)
    const { payNo } = there.sandbox.pay({ codeUrl })
    there.sandbox.behave({}, trader.merchantNo)
    await run(day.today)
    const id = await breakOf(`1/${code.extra}/${payNo}`)
    expect((await ask(id, 2)).message).toContain('请先查单')
    expect((await there.api.call(token(), reconciliation.query, { body: { id } })).status).toBe(200)
    await until(async () => ((await statusOf(id)) === breakStatus.code.gone ? true : undefined))
    expect((await payments.readRecharge(client, rechargeNo)).status).toBe('ALREADY_PAY_STATUS')
    await ledgerIsProven()
  })
})

describe('the reconciliation page', () => {
  it('compares the records, assigns a difference to a person, and names its owner', async () => {
    const id = await breakOf(`1/${code.amount}/P${day.id(201)}`)
    const { data: persons } = await there.api.call(token(), reconciliation.people, { params: { id } })
    expect(persons.map((person) => person.id)).toContain(checker.id)
    expect((await there.api.call(token(), reconciliation.assign, { body: { id, userId: checker.id } })).status).toBe(
      200,
    )
    expect(
      (await there.api.call(token(), reconciliation.assign, { body: { id, userId: people.swift.admin.id } })).status,
    ).toBe(404)
    const { data } = await there.api.call(token(), reconciliation.detail, { params: { id } })
    expect(data).toMatchObject({ kind: code.amount, theirs: '0.03', ownerName: '姓名green_checker', canQuery: true })
    expect(data.order).toContainEqual({ label: '支付单号', value: `P${day.id(201)}` })
    expect(data.channel).toContainEqual({ label: '收款', value: '¥0.03' })
    expect(data.ledger.length).toBeGreaterThan(0)
    const mine = await there.api.call(token(), reconciliation.list, { query: { ownerId: checker.id } as never })
    expect(mine.data.rows.map((row) => row.id)).toEqual([id])
  })

  it('is visible to its organisation only, and not to agents and sites', async () => {
    const id = await breakOf(`1/${code.amount}/P${day.id(201)}`)
    for (const who of [people.swift.admin, people.green.agent, people.green.site]) {
      const { data } = await there.api.call(who.token, reconciliation.list, {})
      expect(data?.rows ?? []).toEqual([])
      expect((await there.api.call(who.token, reconciliation.detail, { params: { id } })).status).not.toBe(200)
      expect((await there.api.call(who.token, reconciliation.query, { body: { id } })).status).not.toBe(200)
    }
    expect(await stopped(people.swift.id)).toBe(false)
  })
})

it('resumes settlement when the last difference is closed', async () => {
  expect(await stopped()).toBe(true)
  const openBreaks = await sql<{ id: string }>('select id from recon_break where status = 1 order by id')
  const [last, ...others] = openBreaks
  await sql(`update recon_break set status = 3, closed_at = now(), why = '测试' where id = any($1)`, [
    others.map(({ id }) => id),
  ])
  expect(await stopped()).toBe(true)
  await approve((await ask(last?.id ?? '', 1)).data.id)
  expect(await stopped()).toBe(false)
})

it('waits for a bill that is not ready, and reports it', async () => {
  there.sandbox.behave({ busy: true }, trader.merchantNo)
  await there.api.call(token(), reconciliation.run, { body: { day: '2026-01-05' } })
  const found = await until(async () => {
    const { data } = await there.api.call(token(), reconciliation.runs, {
      query: { from: '2026-01-05', to: '2026-01-05' },
    })
    return data.rows.find(({ status }) => status === runStatus.code.noBill)
  })
  there.sandbox.behave({}, trader.merchantNo)
  expect(found.problem).toContain('尚未就绪')
  // The job retries by itself.
  await until(async () => {
    const { data } = await there.api.call(token(), reconciliation.runs, {
      query: { from: '2026-01-05', to: '2026-01-05' },
    })
    return data.rows.every(({ status }) => status === runStatus.code.even) ? true : undefined
  })
})

it('never changes a stored bill', async () => {
  for (const text of [
    'update channel_bill_line set fen = 1',
    'delete from channel_bill_line',
    'delete from channel_bill',
  ])
    await expect(sql(text)).rejects.toThrow('never changed')
})
