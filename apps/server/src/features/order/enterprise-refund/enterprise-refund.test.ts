import { shownNames } from '@wattdeck/contract/kit/fields.ts'
import { enterpriseRefund, enterpriseRefundList } from '@wattdeck/contract/order/enterprise-refund.ts'
import { personalData } from '@wattdeck/contract/auth/personal-data.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { download, downloadStatus } from '@wattdeck/contract/system/download.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { callerOf } from '../../../../test/harness/client.ts'
import { makePayer } from '../../../../test/fixtures/charging.ts'
import { accountSum } from '../../../../test/fixtures/payments.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { startApiProcess, startWorkerProcess } from '../../../../test/harness/process.ts'
import { borrowedSession, makeRefunder, proveLedger, refundMenus } from '../../../../test/fixtures/refunds.ts'
import { until } from '../../../../test/harness/until.ts'

const shanghaiDay = (offset: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() + offset * 86_400_000)

/** Stored as an account number; a user without the right must not find it anywhere. */
const canary = '6222987612345678901'
let api: TestApi
let fixture: Fixture
let maker: Actor
let auditor: Actor
let approver: Actor
let worker: Awaited<ReturnType<typeof startWorkerProcess>>
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  maker = await makeRefunder(api, fixture.green.id, 'green_maker')
  auditor = await makeRefunder(api, fixture.green.id, 'green_auditor')
  approver = await makeRefunder(api, fixture.green.id, 'green_approver')
  worker = await startWorkerProcess(api.config)
})
afterEach(() => proveLedger(api))
afterAll(() => worker.stop())

const company = (fen = 5000n) => makePayer(api, fixture.green.id, fen, 700n)
const request = {
  company: '西湖物流',
  payee: '西湖物流有限公司',
  account: canary,
  bank: '工商银行',
  reason: '合同到期',
}
const ask = (token: string, memberId: string, amount: string, more: object = {}) =>
  api.call(token, enterpriseRefund.add, { body: { memberId, amount, ...request, ...more } as never })
type Step = 'audit' | 'approve' | 'cancel' | 'giveBack'
const step = (token: string, name: Step, id: string) => api.call(token, enterpriseRefund[name], { body: { id } })
const fail = (token: string, name: 'auditFail' | 'approvalFail', id: string) =>
  api.call(token, enterpriseRefund[name], { body: { id, reason: '账号不符' } })
const wallet = async (memberId: string) =>
  Promise.all([1, 2, 5].map(async (kind) => Number(await accountSum(api, fixture.green.id, kind, memberId))))
const one = async (id: string, token = maker.token) =>
  (await api.call(token, enterpriseRefund.list, { query: { refundNo: id } as never })).data.rows[0]
const voucherOf = async ({ id }: Actor) => {
  const [file] = await api.sql<{ id: string }>(
    `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, width, height)
     values ($1, $2, 'picture', $3, '回单.webp', 'image/webp', 1, 1, 1) returning id`,
    [fixture.green.id, id, `picture/${fixture.green.id}/${crypto.randomUUID()}`],
  )
  return file?.id ?? ''
}
const finish = async (person: Actor, id: string) =>
  api.call(person.token, enterpriseRefund.finish, { body: { id, pictureId: await voucherOf(person) } })

describe('a company’s money', () => {
  it('is paid by hand after three people have decided, with a voucher; gift money stays', async () => {
    const memberId = await company()
    const { id } = (await ask(maker.token, memberId, '50.00')).data
    expect(await wallet(memberId)).toEqual([0, 700, 5000])
    expect((await finish(auditor, id)).status).toBe(409)
    expect((await step(auditor.token, 'audit', id)).status).toBe(200)
    expect((await step(approver.token, 'approve', id)).status).toBe(200)
    expect((await finish(maker, id)).status).toBe(409)
    expect((await finish(auditor, id)).status).toBe(200)
    expect(await wallet(memberId)).toEqual([0, 700, 0])
    expect(await accountSum(api, fixture.green.id, 51, '9')).toBe(5000n)
    expect(await one(id)).toMatchObject({ status: 'FINISH', paidBy: '姓名green_auditor', amount: '50.00' })
    expect((await step(approver.token, 'giveBack', id)).status).toBe(409)
    expect(await ask(maker.token, memberId, '0.01')).toMatchObject({ status: 409, message: '余额不足' })
  })

  it('is returned in full when it is declined, cancelled or cannot be paid', async () => {
    const memberId = await company()
    const ends: [(id: string) => Promise<{ status: number }>, string][] = [
      [(id) => fail(auditor.token, 'auditFail', id), 'AUDIT_FAILED'],
      [(id) => step(maker.token, 'cancel', id), 'AUDIT_CANCEL'],
      [
        async (id) => {
          await step(auditor.token, 'audit', id)
          return fail(approver.token, 'approvalFail', id)
        },
        'APPROVAL_FAILED',
      ],
      [
        async (id) => {
          await step(auditor.token, 'audit', id)
          await step(approver.token, 'approve', id)
          expect((await step(maker.token, 'cancel', id)).status).toBe(409)
          return step(auditor.token, 'giveBack', id)
        },
        'AUDIT_CANCEL',
      ],
    ]
    for (const [way, status] of ends) {
      const { id } = (await ask(maker.token, memberId, '33.33')).data
      expect(await wallet(memberId)).toEqual([1667, 700, 3333])
      expect((await way(id)).status).toBe(200)
      expect((await one(id))?.status).toBe(status)
      expect(await wallet(memberId)).toEqual([5000, 700, 0])
    }
  })

  it('needs three different people, each acting as themselves', async () => {
    const memberId = await company()
    for (const person of [fixture.platform.root, fixture.green.admin]) {
      const { id } = (await ask(person.token, memberId, '1.00')).data
      expect((await step(person.token, 'audit', id)).status).toBe(409)
      expect((await step(auditor.token, 'audit', id)).status).toBe(200)
      expect((await step(person.token, 'approve', id)).status).toBe(409)
      expect(await step(auditor.token, 'approve', id)).toMatchObject({
        status: 409,
        message: '审核人与审批人不能是同一人',
      })
      await expect(
        api.sql(
          `update enterprise_refund set status = 'APPROVALING_FINISH', approved_by_id = $2, approved_by = '我', approved_at = now() where id = $1`,
          [id, auditor.id],
        ),
      ).rejects.toThrow('enterprise_refund_three_people')
      const borrowed = await borrowedSession(api, approver.id, person.id)
      expect((await step(borrowed, 'approve', id)).status).toBe(403)
      expect((await step(approver.token, 'approve', id)).status).toBe(200)
      await expect(api.sql(`update enterprise_refund set account_sealed = 'x' where id = $1`, [id])).rejects.toThrow(
        'never changed',
      )
    }
    const stranger = await makeRefunder(api, fixture.swift.id, 'swift_refunder')
    expect((await ask(stranger.token, memberId, '1.00')).status).toBe(404)
  })

  it.each(['1234567', '1'.repeat(31), '6222 0212 3456', 'DE123456789'])(
    'is not paid to the account %j',
    async (account) => expect((await ask(maker.token, await company(), '1.00', { account })).status).toBe(422),
  )
})

describe('an account number', () => {
  it('is in no list, file, log or table in the clear; a reveal with a reason shows it to one user', async () => {
    const { id } = (await ask(maker.token, await company(), '1.00')).data
    const menus = [...refundMenus, '1', '1.1', '1.1.5', '1.5']
    const reader = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'green_reader',
      menus,
      canUnmask: true,
    })
    const list = await api.call(reader.token, enterpriseRefund.list)
    expect(JSON.stringify(list.data)).not.toContain(canary)
    expect(list.data.rows.find((row) => row.id === id)?.account).toBe('6222****8901')
    const columns = shownNames(enterpriseRefundList.fields)
    const exported = await api.call(reader.token, enterpriseRefund.exportList, { body: { columns } as never })
    const file = await until(async () => {
      const { data } = await api.call(reader.token, download.list)
      return data.rows.find((row) => row.id === exported.data.id && row.status === downloadStatus.code.done)
    })
    const reply = await api.call(reader.token, download.file, { body: { id: file.id } })
    expect(reply.bytes?.length).toBeGreaterThan(1000)
    const stored = await api.sql<{ text: string }>(
      `select string_agg(t::text, ' ') as text from (select to_jsonb(e) as t from enterprise_refund e union all select to_jsonb(a) from audit_log a
         union all select to_jsonb(i) from idempotency_key i union all select to_jsonb(n) from notification n) every_row`,
    )
    expect(stored[0]?.text).toContain('西湖物流')
    expect(stored[0]?.text).not.toContain(canary)
    expect(JSON.stringify((await api.call(reader.token, log.list)).data)).not.toContain(canary)
    const value = { kind: 'enterpriseRefund', rowId: id, field: 'account' } as const
    expect((await api.call(reader.token, personalData.read, { query: value })).status).toBe(403)
    const shown = (who: Actor) =>
      api.call(who.token, session.verifyPermissions, {
        params: { userId: who.id },
        body: { ...value, reason: '打款' },
      })
    expect((await shown(maker)).status).toBe(403)
    expect((await shown(reader)).status).toBe(200)
    expect((await api.call(reader.token, personalData.read, { query: value })).data.value).toBe(canary)
  })

  it('is in no log line of the api', async () => {
    const started = await startApiProcess(api.config, { LOG_LEVEL: 'trace' })
    const call = callerOf(started.url)
    const body = { memberId: await company(), amount: '1.00', ...request } as never
    expect((await call(maker.token, enterpriseRefund.add, { body })).status).toBe(200)
    expect(
      (await call(maker.token, enterpriseRefund.add, { body: { ...(body as object), amount: '0' } as never })).status,
    ).toBe(422)
    await started.stop()
    expect(started.output().split('\n').length).toBeGreaterThan(3)
    expect(started.output()).not.toContain(canary)
  })
})

describe('the totals', () => {
  it('sum a filter by stage, within a month, over the rows that the reader sees', async () => {
    const memberId = await company(9000n)
    const more = { company: '合计物流' }
    const totals = (token: string, query: object) => api.call(token, enterpriseRefund.totals, { query: query as never })
    const days = { from: shanghaiDay(-30), to: shanghaiDay(0), ...more }
    const first = (await ask(maker.token, memberId, '30.00', more)).data
    await ask(maker.token, memberId, '20.00', more)
    const third = (await ask(maker.token, memberId, '10.00', more)).data
    await fail(auditor.token, 'auditFail', third.id)
    await step(auditor.token, 'audit', first.id)
    await step(approver.token, 'approve', first.id)
    expect((await totals(maker.token, days)).data).toEqual({
      count: 3,
      sums: { waiting: '20.00', refunding: '30.00', refunded: '0.00' },
    })
    await finish(auditor, first.id)
    expect((await totals(maker.token, days)).data.sums).toEqual({
      waiting: '20.00',
      refunding: '0.00',
      refunded: '30.00',
    })
    const stranger = await makeRefunder(api, fixture.swift.id, 'swift_totals')
    expect((await totals(stranger.token, days)).data.count).toBe(0)
    expect((await totals(maker.token, { ...days, from: shanghaiDay(-31) })).status).toBe(422)
    expect((await totals(maker.token, {})).status).toBe(422)
  })
})
