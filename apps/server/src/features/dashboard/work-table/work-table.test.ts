import { figureName, type FigureName, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { reconciliation } from '@wattdeck/contract/accounting/reconciliation.ts'
import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { describe, expect, it } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { callerOf } from '../../../../test/harness/client.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeAdjustment, makeMember } from '../../../../test/fixtures/members.ts'
import { orderInReview } from '../../../../test/fixtures/orders.ts'
import { plantPayment } from '../../../../test/fixtures/payment-rows.ts'
import { type Actor, makePerson, makeFixture, password } from '../../../../test/harness/people.ts'
import { plantBreak } from '../../../../test/fixtures/recon-rows.ts'
import {
  billedOrder,
  plantEnterpriseRefund,
  plantOrderRefund,
  plantRecharge,
  plantRechargeRefund,
} from '../../../../test/fixtures/refunds.ts'

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)

const logIn = (loginName: string, word = password) =>
  callerOf(api.url)(undefined, login.byPassword, { body: { loginName, password: word } })
const read = async (who: Actor) => (await api.call(who.token, workTable.read)).data
const logins = async (who: Actor) => (await api.call(who.token, workTable.logins)).data
const toDo = async (who: Actor) => (await api.call(who.token, workTable.toDo)).data
const waiting = async (who: Actor, kind: string) => (await toDo(who)).find((item) => item.kind === kind)
const ids = async (who: Actor, kind: string) => (await waiting(who, kind))?.rows.map(({ id }) => id)
const person = (loginName: string, menus: string[], rest: object = {}) =>
  makePerson(api, { organiseId: fixture.green.id, loginName, menus: ['2', '2.1', ...menus], ...rest })

describe('a stranger', () => {
  it('sees neither the logins of another person nor the tasks of another organisation', async () => {
    await logIn('swift_clerk')
    await api.sql(
      "update user_account set locked_until = now() + interval '5 minutes', password_changed_at = now() - interval '91 days' where login_name = 'swift_site'",
    )
    expect((await waiting(fixture.green.admin, 'lockedAccount'))?.count).toBe(0)
    expect((await waiting(fixture.swift.admin, 'lockedAccount'))?.count).toBe(1)
    expect((await waiting(fixture.swift.admin, 'oldPassword'))?.count).toBe(1)
    expect(await logins(fixture.green.admin)).toEqual([])
    expect(await logins(fixture.swift.admin)).toEqual([])
    for (const route of [workTable.read, workTable.toDo, workTable.logins])
      expect((await api.call(fixture.green.withoutRights.token, route)).status).toBe(403)
  })

  it('gets no figure of another organisation by its ids', async () => {
    const { swift, green } = fixture
    await makeDevice(api, { organiseId: swift.id, agentId: swift.subAgentId, siteId: swift.siteId, typeId: models.dny })
    for (const who of [green.admin, green.agent, green.site])
      for (const query of [{ organiseId: swift.id }, { agentId: swift.agentId }, { siteId: swift.siteId }]) {
        for (const { value: name } of figureName.options) {
          const { data } = await api.call(who.token, workTable.figure, { params: { name }, query: query as never })
          expect(data.value, `${name} ${JSON.stringify(query)}`).toMatch(/^0(\.00)?$/)
          expect(data.whose ?? '').not.toContain('swift')
        }
        expect((await api.call(who.token, workTable.plugs, { query: query as never })).data.ports).toBe(0)
        expect((await api.call(who.token, workTable.types, { query: query as never })).data.rows).toEqual([])
      }
  })
})

describe('the work table', () => {
  it('names the organisation and the state of its basic service', async () => {
    await api.sql('update organise set basic_service_status = 3 where id = $1', [fixture.swift.id])
    expect(await read(fixture.swift.clerk)).toEqual({ organiseName: '机构swift', basicServiceStatus: 3 })
  })

  it('shows the last five logins of the caller, including failed ones, newest first', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'logs_in', menus: ['2', '2.1'] })
    for (let n = 0; n < 4; n++) await logIn('logs_in')
    await logIn('logs_in', 'Wrong-pass-123')
    const recent = await logins(who)
    expect(recent.map((entry) => entry.success)).toEqual([false, true, true, true, true])
    expect(recent[0]).toMatchObject({ ip: '127.0.0.1', does: '密码登录' })
  })

  it('leaves out logins older than 31 days', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'long_ago', menus: ['2', '2.1'] })
    await api.sql(
      `create table audit_log_older partition of audit_log for values from ('2020-01-01') to (date_trunc('month', now()) - interval '1 month')`,
    )
    await api.sql(
      `insert into audit_log (at, organise_id, user_id, module, kind, content, path, duration_ms, result, request_id, seq, prev_hash, hash)
       values (now() - interval '32 days', $1, $2, '登录', 'login', '密码登录', '/x', 1, 1, 'r', 0, '', '')`,
      [fixture.green.id, who.id],
    )
    expect(await logins(who)).toEqual([])
  })
})

describe('a card', () => {
  const status = async (who: Actor, name: FigureName) =>
    (await api.call(who.token, workTable.figure, { params: { name } })).status

  it('of money, orders, members or devices needs the right to read them on a page', async () => {
    const seen = async (who: Actor) => {
      const names: string[] = []
      for (const { value } of figureName.options) if ((await status(who, value)) === 200) names.push(value)
      for (const route of [workTable.trend, workTable.plugs, workTable.types] as const)
        if ((await api.call(who.token, route, {})).status === 200) names.push(route.path.split('/').at(-1) ?? '')
      return names.join(' ')
    }
    expect(await seen(fixture.green.clerk)).toBe('')
    expect(await seen(fixture.green.installer)).toBe('')
    expect(await seen(await person('sees_orders', ['7', '7.6']))).toBe('revenue orders energy trend')
    expect(await seen(await person('sees_devices', ['4', '4.1', '4.1.1']))).toBe('online faults plugs types')
    expect(await seen(await person('sees_members', ['6', '6.7']))).toBe('members')
    expect(await seen(await person('sees_recharges', ['7', '7.9']))).toBe('recharges')
    expect(await seen(await person('sees_tickets', ['4', '4.1', '4.1.3']))).toBe('tickets')
    expect(await seen(await person('scans', ['4', '4.1', '4.1.8']))).toBe('installs')
    expect(await seen(fixture.green.withoutRights)).toBe('')
  })

  it('of the income is refused without the right to read accounts', async () => {
    expect(await status(fixture.green.clerk, 'income')).toBe(403)
    const seen = await api.call((await person('sees_accounts', ['2.6'])).token, workTable.figure, {
      params: { name: 'income' },
    })
    expect(seen.data).toMatchObject({ value: '0.00', whose: '机构green' })
  })

  it('with an unknown name is refused', async () => {
    expect(
      (await api.call(fixture.green.admin.token, workTable.figure, { params: { name: 'x' as 'orders' } })).status,
    ).toBe(422)
  })
})

describe('the to-do card', () => {
  it('counts locked accounts and old passwords in scope for holders of the staff menu', async () => {
    await api.sql(
      `update user_account set locked_until = now() + interval '5 minutes', password_changed_at = now() - interval '91 days'
       where login_name = any($1)`,
      [['green_clerk', 'green_sub_agent']],
    )
    await api.sql("update user_account set locked_until = now() - interval '1 minute' where login_name = 'green_site'")
    const [locked, old] = [
      await waiting(fixture.green.admin, 'lockedAccount'),
      await waiting(fixture.green.admin, 'oldPassword'),
    ]
    expect(locked).toMatchObject({ count: 2, more: false, route: '/system/staff' })
    expect(locked?.rows[0]).toMatchObject({
      title: '姓名green_clerk · green_clerk',
      route: '/system/staff?keyword=green_clerk',
    })
    expect(old).toMatchObject({ count: 2 })
    expect((await waiting(fixture.green.agent, 'lockedAccount'))?.count).toBe(1)
    expect(await toDo(fixture.green.installer)).toEqual([])
  })

  it('counts balance adjustments for their approvers, except the approver’s own requests', async () => {
    const { id: organiseId, subAgentId: agentId, siteId, admin, agent, installer } = fixture.green
    const counts = async (who: Actor) => (await waiting(who, 'balanceAdjustment'))?.count
    await makeAdjustment(api, await makeMember(api, { organiseId, agentId, siteId }), admin.id)
    await makeAdjustment(api, await makeMember(api, { organiseId }), agent.id)
    expect(await counts(admin)).toBe(1)
    // The second request concerns a member outside the agent's scope.
    expect(await counts(agent)).toBe(1)
    expect(await counts(fixture.platform.root)).toBe(2)
    expect(await counts(fixture.swift.admin)).toBe(0)
    expect(await counts(installer)).toBeUndefined()
  })

  it('lists refunds for their approvers, and nothing for a person without the menu', async () => {
    const { id: organiseId, subAgentId: agentId, siteId, admin } = fixture.green
    const member = await makeMember(api, { organiseId, agentId, siteId })
    const order = await billedOrder(api, fixture.green, models, member.id)
    const refundId = await plantOrderRefund(api, order, admin.id)
    const checker = await person('checks_refunds', ['7', '7.3'])
    const found = await waiting(checker, 'refundOrder')
    expect(found).toMatchObject({ count: 1, more: false, route: '/order/refundOrder?status=1' })
    expect(found?.rows[0]).toMatchObject({ id: refundId, route: `/order/refundReview?id=${refundId}` })
    const list = await api.call(checker.token, refundOrder.list, { query: { status: 1 } as never })
    expect(list.data.rows.map(({ id }) => id)).toEqual([refundId])
    // The requester cannot decide, a reader cannot decide, and a person without the menu sees nothing.
    expect(await ids(admin, 'refundOrder')).toEqual([])
    expect(await ids(await person('looks_at_refunds', ['7', '7.3'], { actions: false }), 'refundOrder')).toBeUndefined()
    const other = await person('no_refunds', ['7', '7.2', '7.6', '4', '4.1', '4.1.1'])
    expect((await toDo(other)).map(({ kind }) => kind)).toEqual(['serviceEnded', 'serviceEnding'])
    expect(await ids(fixture.swift.admin, 'refundOrder')).toEqual([])
  })

  it('shows the step of a refund to a person who can take it, and never two steps to the same person', async () => {
    const { id: organiseId, subAgentId: agentId, siteId, admin } = fixture.green
    const member = await makeMember(api, { organiseId, agentId, siteId })
    const menus = ['7', '7.10', '7.11']
    const [auditor, approver] = [await person('step_two', menus), await person('step_three', menus)]
    const first = await plantRechargeRefund(api, await plantRecharge(api, organiseId, member.id), { makerId: admin.id })
    const second = await plantRechargeRefund(api, await plantRecharge(api, organiseId, member.id), {
      makerId: admin.id,
      auditorId: auditor.id,
    })
    const own = await plantRechargeRefund(api, await plantRecharge(api, organiseId, member.id), {
      makerId: approver.id,
    })
    expect(await ids(auditor, 'rechargeRefund')).toEqual([first, own])
    expect(await ids(approver, 'rechargeRefund')).toEqual([first, second])
    expect((await waiting(approver, 'rechargeRefund'))?.rows[1]?.title).toMatch(/^审批中 · ¥1\.00/)
    const { data } = await api.call(approver.token, rechargeRefund.list, { query: { refundNo: second } as never })
    expect(data.rows).toMatchObject([{ id: second, acted: false }])
    const company = await plantEnterpriseRefund(api, member.id, { makerId: admin.id })
    expect(await ids(auditor, 'enterpriseRefund')).toEqual([company])
    expect(await ids(admin, 'enterpriseRefund')).toEqual([])
  })

  it('lists order reviews, reconciliation differences and tickets, each linked to its page', async () => {
    const { green } = fixture
    const place = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
    const operator = await person('has_orders', ['7', '7.2', '7.4', '7.6', '7.16'])
    const order = await orderInReview(api, operator.token, green, models)
    expect(await waiting(operator, 'orderReview')).toMatchObject({
      count: 1,
      rows: [{ id: order.id, route: `/order/orderReview?orderNo=${order.id}` }],
    })

    const member = await makeMember(api, place)
    const { merchant, payment } = await plantPayment(api, { ...place, memberId: member.id })
    const { reconBreak } = await plantBreak(api, {
      organiseId: green.id,
      merchantId: merchant,
      paymentId: payment,
      makerId: green.admin.id,
    })
    const accountant = await person('has_accounts', ['8', '8.30'])
    const found = await waiting(accountant, 'reconciliation')
    const subject = `DZ${reconBreak.padStart(8, '0')}`
    expect(found).toMatchObject({ count: 1, rows: [{ route: `/accounting/reconciliation?subject=${subject}` }] })
    const { data } = await api.call(accountant.token, reconciliation.list, { query: { subject } as never })
    expect(data.rows.map(({ id }) => id)).toEqual([reconBreak])
    await api.sql('update recon_break set owner_id = $2 where id = $1', [reconBreak, accountant.id])
    expect((await waiting(accountant, 'reconciliation'))?.rows[0]?.title).toMatch(/^由我负责 · 金额不符/)

    const device = await makeDevice(api, { ...place, typeId: models.dny })
    const ticket = await makeTicket(api, device)
    const mechanic = await person('repairs', ['4', '4.1', '4.1.3'], { agentId: green.subAgentId, userType: 4 })
    expect(await ids(await person('sends_out', ['4', '4.1', '4.1.3']), 'repairTicket')).toEqual([ticket])
    // A repairer sees the tickets assigned to them.
    expect(await ids(mechanic, 'repairTicket')).toEqual([])
    await api.sql('update repair_ticket set assignee_id = $2, assigned_at = now() where id = $1', [ticket, mechanic.id])
    expect(await waiting(mechanic, 'repairTicket')).toMatchObject({
      route: `/product/repairTicket?status=2&assigneeId=${mechanic.id}`,
      rows: [{ route: `/product/repairTicket?ticket=${ticket}` }],
    })
  })

  it('separates offline devices from other faults, and links to the single alarm', async () => {
    const { green } = fixture
    const place = { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId }
    const device = await makeDevice(api, { ...place, typeId: models.dny })
    const offline = await makeAlarm(api, device, { kind: 1, portNo: 0 })
    const fault = await makeAlarm(api, device, { kind: 2, portNo: 1 })
    const worse = await makeAlarm(api, device, { kind: 4, portNo: 0, severity: 1 })
    await makeAlarm(api, device, { kind: 2, portNo: 2, status: 2 })
    const watcher = await person('watches', ['4', '4.1', '4.1.7'])
    expect(await ids(watcher, 'offline')).toEqual([offline])
    expect(await ids(watcher, 'alarm')).toEqual([worse, fault])
    expect((await waiting(watcher, 'alarm'))?.rows[1]?.route).toBe(`/product/alarmCenter?alarmId=${fault}`)
    const { data } = await api.call(watcher.token, alarmCenter.list, { query: { alarmId: fault } as never })
    expect(data.rows.map(({ id }) => id)).toEqual([fault])
    expect(await ids(fixture.swift.admin, 'alarm')).toEqual([])
  })

  it('lists devices whose service has ended or ends soon, first the earliest end', async () => {
    const { green } = fixture
    const who = await person('has_devices', ['4', '4.1', '4.1.1'])
    const deviceIds: string[] = []
    for (const days of [-3, -9, 4]) {
      const id = await makeDevice(api, { organiseId: green.id, typeId: models.dny })
      await api.sql(
        "update device set service_until = (now() at time zone 'Asia/Shanghai')::date + $2::int where id = $1",
        [id, days],
      )
      deviceIds.push(id)
    }
    expect(await ids(who, 'serviceEnded')).toEqual([deviceIds[1], deviceIds[0]])
    expect(await waiting(who, 'serviceEnding')).toMatchObject({
      count: 1,
      route: '/product/deviceManage?serviceStatus=2',
      rows: [{ route: `/product/deviceDetail?id=${deviceIds[2]}` }],
    })
  })

  it('counts up to a thousand', async () => {
    const { green } = fixture
    await api.sql(
      `insert into alarm (organise_id, device_id, device_no, port_no, kind, severity, first_at, last_at)
       select organise_id, id, device_no, n % 24 + 1, n / 24 % 12 + 2, 3, now(), now() from
         (select * from device where organise_id = $1 order by id limit 5) device, generate_series(0, 263) n on conflict do nothing`,
      [green.id],
    )
    const watcher = await person('sees_many', ['4', '4.1', '4.1.7'])
    const found = await waiting(watcher, 'alarm')
    expect(found).toMatchObject({ count: 999, more: true })
    expect(found?.rows).toHaveLength(3)
  })
})
