import { search } from '@wattdeck/contract/auth/search.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTicket } from '../../../../test/fixtures/alarms.ts'
import { makeDevice, makeModels, type Models } from '../../../../test/fixtures/devices.ts'
import { plantOrder } from '../../../../test/fixtures/orders.ts'
import { plantPayment } from '../../../../test/fixtures/payment-rows.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const find = async (who: Actor, q: string) => (await api.call(who.token, search.records, { query: { q } })).data

describe('a stranger', () => {
  it.each(['swift', '机构', 'HQ', '总部', 'a'])('finds nothing of another organisation by %s', async (q) => {
    expect(JSON.stringify(await find(fixture.green.admin, q))).not.toContain('swift')
  })

  it('finds no person of another organisation by phone', async () => {
    expect(await find(fixture.green.admin, fixture.swift.admin.phone)).toEqual([])
  })

  it('finds no records of a menu that they lack', async () => {
    expect(await find(fixture.green.clerk, 'green')).toEqual([])
  })
})

describe('search', () => {
  it('finds staff, departments and roles by name, login name and code', async () => {
    const found = await find(fixture.green.admin, 'green_cl')
    expect(found).toEqual([
      expect.objectContaining({
        kind: 'staff',
        id: fixture.green.clerk.id,
        title: '姓名green_clerk',
        note: '机构green',
      }),
      expect.objectContaining({
        kind: 'role',
        id: fixture.green.clerk.roleId,
        title: '角色green_clerk',
        note: '机构green',
      }),
    ])
    expect(await find(fixture.green.admin, 'hq')).toEqual([
      expect.objectContaining({
        kind: 'department',
        id: fixture.green.departmentId,
        title: '总部green',
        note: '机构green',
      }),
    ])
    expect((await find(fixture.green.admin, 'GZHGLJS')).map((row) => row.kind)).toEqual(['role'])
  })

  it('shows the department of a person if there is one', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'with_department' })
    await api.sql('update user_account set department_id = $1 where id = $2', [fixture.green.departmentId, person.id])
    expect(await find(fixture.green.admin, 'with_department')).toMatchObject([{ note: '总部green' }])
  })

  it('finds a person by the whole phone only, and never returns the phone', async () => {
    const { clerk } = fixture.green
    const found = await find(fixture.green.admin, clerk.phone)
    expect(found.map((row) => row.id)).toEqual([clerk.id])
    expect(JSON.stringify(found)).not.toContain(clerk.phone)
    expect(await find(fixture.green.admin, clerk.phone.slice(0, 10))).toEqual([])
  })

  it('finds no more than five of a kind, and takes % and _ literally', async () => {
    for (let n = 0; n < 6; n++) await makePerson(api, { organiseId: fixture.green.id, loginName: `many${n}` })
    expect(await find(fixture.green.admin, 'many')).toHaveLength(5)
    expect(await find(fixture.green.admin, '%')).toEqual([])
    expect((await find(fixture.green.admin, 'green_admin')).map((row) => row.id)).toContain(fixture.green.admin.id)
    expect(await find(fixture.green.admin, 'many_')).toEqual([])
  })

  it('does not find removed persons', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'removed_one' })
    await api.sql('update user_account set deleted_at = now() where id = $1', [person.id])
    expect(await find(fixture.green.admin, 'removed_one')).toEqual([])
  })
})

describe('organisations, agents and sites', () => {
  const menus = ['1.4', '1.4.1', '1.4.3', '1.4.4']
  let root: Actor
  let admin: Actor
  beforeAll(async () => {
    await api.sql(
      'insert into menu (menu_key, title, kind, sort) select key, key, 2, 1 from unnest($1::text[]) key on conflict do nothing',
      [menus],
    )
    root = await makePerson(api, { organiseId: '1', loginName: 'root_finder', menus: '*', topLevel: 0, code: 'ADMIN' })
    admin = await makePerson(api, { organiseId: fixture.green.id, loginName: 'finder', menus })
  })
  const kinds = async (who: Actor, q: string) =>
    (await find(who, q)).filter(({ kind }) => kind === 'organise' || kind === 'agent' || kind === 'site')

  it('of another organisation are found by the platform only', async () => {
    expect(JSON.stringify(await find(admin, 'swift'))).not.toContain('swift')
    expect(await kinds(admin, '站点')).toEqual([
      expect.objectContaining({ kind: 'site', id: fixture.green.siteId, title: '站点green', note: '机构green' }),
    ])
    expect((await kinds(root, '站点')).map(({ title }) => title)).toEqual(['站点green', '站点swift'])
    expect(await kinds(fixture.green.clerk, '站点')).toEqual([])
  })

  it('are found by their names; only the platform finds organisations', async () => {
    expect(await kinds(root, '机构gr')).toEqual([
      expect.objectContaining({
        kind: 'organise',
        id: fixture.green.id,
        title: '机构green',
        note: `编号 ${fixture.green.id}`,
      }),
    ])
    expect(await kinds(admin, '机构')).toEqual([])
    expect((await kinds(admin, 'green')).map(({ title }) => title)).toEqual(['站点green', '下级green', '代理商green'])
  })

  it('are found by name prefix across all organisations', async () => {
    expect((await kinds(root, '点green')).map(({ kind }) => kind)).toEqual([])
    expect((await kinds(root, '站点s')).map(({ title }) => title)).toEqual(['站点swift'])
    expect(await kinds(root, '%')).toEqual([])
  })
})

describe('devices, orders, members, tickets and money', () => {
  const every = ['4.1.1', '4.1.3', '6.1', '7.1', '7.2', '7.3', '7.9']
  type Planted = Record<'device' | 'order' | 'member' | 'ticket' | 'payment' | 'refund', string> & { deviceNo: string }
  let green: Planted
  let swift: Planted
  let finder: Actor
  let models: Models

  async function plant(brand: Fixture['green'], name: string, deviceNo: string, phone: string): Promise<Planted> {
    const place = { organiseId: brand.id, agentId: brand.subAgentId, siteId: brand.siteId }
    const device = await makeDevice(api, { ...place, typeId: models.dny, deviceNo })
    await api.sql('update device set name = $2 where id = $1', [device, `翠湖${name}东门`])
    const { order, member } = await plantOrder(api, device, name)
    await api.sql('update member set phone = $2 where id = $1', [member, phone])
    const ticket = await makeTicket(api, device)
    const { payment } = await plantPayment(api, { ...place, memberId: member })
    const [refund] = await api.sql<{ id: string }>(
      `insert into refund_order (organise_id, agent_id, site_id, order_id, member_id, way, amount_fen, paid_fen, gift_fen, electricity_fen, service_fen, occupancy_fen,
         reason, created_by_id, created_by, status)
       select organise_id, agent_id, site_id, id, member_id, 1, 100, 100, 0, 100, 0, 0, '设备故障', $2, '申请人', 1 from charging_order where id = $1 returning id`,
      [order, brand.admin.id],
    )
    return { device, order, member, ticket, payment, refund: refund?.id ?? '', deviceNo }
  }
  beforeAll(async () => {
    models = await makeModels(api)
    green = await plant(fixture.green, 'green', '13544000', '13900001111')
    swift = await plant(fixture.swift, 'swift', '13544999', '13900002222')
    finder = await makePerson(api, { organiseId: fixture.green.id, loginName: 'object_finder', menus: every })
  })
  const found = async (who: Actor, q: string) => (await find(who, q)).map(({ kind, id }) => `${kind} ${id}`)

  it('of another organisation are never found by any identifier', async () => {
    const [ticketNo] = await api.sql<{ no: string }>('select ticket_no as no from repair_ticket where id = $1', [
      swift.ticket,
    ])
    const names = ['135449', swift.deviceNo, '翠湖swift', '会员swift', '13900002222', ticketNo?.no ?? '', 'wireswift']
    const numbers = [swift.order, swift.member, swift.payment, `P${swift.payment}`, swift.refund, swift.device]
    for (const q of [...names, ...numbers]) {
      const own = new Set(Object.entries(green).map(([kind, id]) => `${kind} ${id}`))
      expect((await found(finder, q)).filter((one) => !own.has(one))).toEqual([])
    }
    // The platform finds them, so the records exist.
    const root = await makePerson(api, { organiseId: '1', loginName: 'root_objects', menus: '*', topLevel: 0 })
    for (const [q, what] of [
      ['13544999', `device ${swift.device}`],
      ['翠湖swift', `device ${swift.device}`],
      ['会员swift', `member ${swift.member}`],
      [swift.order, `order ${swift.order}`],
      [`P${swift.payment}`, `payment ${swift.payment}`],
    ] as const)
      expect(await found(root, q)).toContain(what)
  })

  it('of another site of the same organisation are not found', async () => {
    const [site] = await api.sql<{ id: string }>(
      "insert into site (organise_id, agent_id, name, type) values ($1, $2, '另一站', 1) returning id",
      [fixture.green.id, fixture.green.subAgentId],
    )
    const person = await makePerson(api, {
      organiseId: fixture.green.id,
      agentId: fixture.green.subAgentId,
      siteId: site?.id ?? '',
      loginName: 'other_site',
      menus: every,
    })
    for (const q of [green.deviceNo, '翠湖green', green.order, `P${green.payment}`, green.refund])
      expect(await found(person, q)).toEqual([])
  })

  it('are found by the prefix of number or name, or by their whole number', async () => {
    const [ticket] = await api.sql<{ no: string }>('select ticket_no as no from repair_ticket where id = $1', [
      green.ticket,
    ])
    for (const [q, what] of [
      ['1354', `device ${green.device}`],
      ['翠湖gr', `device ${green.device}`],
      [green.order, `order ${green.order}`],
      ['会员green', `member ${green.member}`],
      ['13900001111', `member ${green.member}`],
      [ticket?.no.toLowerCase() ?? '', `ticket ${green.ticket}`],
      [green.payment, `payment ${green.payment}`],
      [`P${green.payment}`, `payment ${green.payment}`],
      [green.refund, `refund ${green.refund}`],
      [green.order, `refund ${green.refund}`],
    ] as const)
      expect(await found(finder, q)).toContain(what)
  })

  it('are not found by part of a phone, and no phone is returned', async () => {
    expect(await found(finder, '1111')).not.toContain(`member ${green.member}`)
    expect(await found(finder, '1390000111')).toEqual([])
    expect(JSON.stringify(await find(finder, '会员green'))).not.toContain('13900001111')
  })

  it('are found only by the holder of a menu that shows them', async () => {
    const menus: Record<string, [menu: string, q: string]> = {
      device: ['4.1.1', green.deviceNo],
      order: ['7.2', green.order],
      member: ['6.1', '会员green'],
      payment: ['7.1', `P${green.payment}`],
      refund: ['7.3', green.refund],
    }
    for (const [kind, [menu, q]] of Object.entries(menus)) {
      const without = await makePerson(api, {
        organiseId: fixture.green.id,
        loginName: `without_${kind}`,
        menus: every.filter((one) => one !== menu && !(kind === 'order' && one === '7.3')),
      })
      expect((await find(without, q)).map((row) => row.kind)).not.toContain(kind)
    }
  })
})
