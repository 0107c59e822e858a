import { figureName, type FigureName, workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import { roleTemplate } from '@wattdeck/contract/system/role-template.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAlarm, makeTicket } from '../../../../test/fixtures/alarms.ts'
import { makeDevice, makeModels } from '../../../../test/fixtures/devices.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { billedOrder, plantRecharge } from '../../../../test/fixtures/refunds.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

/** The desks of the roles from templates: each shows its figures for its own place. */
const roleIds: Record<string, string> = {}
let otherSiteId: string

const api = await startApi()
const fixture = await makeFixture(api)
const models = await makeModels(api)
const { green, swift } = fixture
const codes = ['YYSYHJS', 'ZDYHJS', 'INSTALLER', 'YLZH', 'SIMCARD', 'LHYYTZR', 'SCWX']
beforeAll(async () => {
  const { data } = await api.call(green.admin.token, roleTemplate.add, { body: { codes: codes.join(',') as never } })
  for (const [at, code] of codes.entries()) roleIds[code] = data.ids[at] ?? ''
  const [site] = await api.sql<{ id: string }>(
    "insert into site (organise_id, agent_id, name) values ($1, $2, '别处') returning id",
    [green.id, green.agentId],
  )
  otherSiteId = site?.id ?? ''
  await plant(green)
  await plant({ ...green, subAgentId: green.agentId, siteId: otherSiteId })
  await plant(swift)
})

type Brand = { id: string; subAgentId: string; siteId: string }
/**
 * At one site: an order of 10 yuan, a device that waits, an installed online device, an alarm, a ticket and a recharge.
 */
async function plant(brand: Brand): Promise<void> {
  const place = { organiseId: brand.id, agentId: brand.subAgentId, siteId: brand.siteId }
  const member = await makeMember(api, place)
  await billedOrder(api, brand, models, member.id)
  await plantRecharge(api, brand.id, member.id)
  const device = await makeDevice(api, { ...place, typeId: models.mqtt })
  await api.sql('update device set online = true, install_status = 1 where id = $1', [device])
  await makeAlarm(api, device)
  await makeTicket(api, device)
}

let serial = 0
/** A person of the first organisation with the role of a template and no other right. */
async function holder(code: string, place: { agentId?: string; siteId?: string; userType?: 4 } = {}): Promise<Actor> {
  const { id: organiseId } = fixture.green
  const person = await makePerson(api, { organiseId, ...place, loginName: `desk${++serial}` })
  await api.sql(
    'insert into user_role (user_id, role_id, organise_id, agent_id, site_id) values ($1, $2, $3, $4, $5)',
    [person.id, roleIds[code], organiseId, place.agentId ?? null, place.siteId ?? null],
  )
  return person
}
const atSite = () => ({ agentId: fixture.green.subAgentId, siteId: fixture.green.siteId })
const figure = (who: Actor, name: FigureName) => api.call(who.token, workTable.figure, { params: { name } })
const valueOf = async (who: Actor, name: FigureName) => (await figure(who, name)).data.value
const toDo = async (who: Actor) => (await api.call(who.token, workTable.toDo)).data

/** The figures and cards that a person can read. */
async function seen(who: Actor): Promise<string> {
  const names: string[] = []
  for (const { value } of figureName.options) if ((await figure(who, value)).status === 200) names.push(value)
  for (const route of [workTable.trend, workTable.plugs, workTable.types] as const)
    if ((await api.call(who.token, route, {})).status === 200) names.push(route.path.split('/').at(-1) ?? '')
  return names.join(' ')
}

describe('the desk of a site', () => {
  it('shows devices, ports, orders, energy, alarms and tickets of that site', async () => {
    const who = await holder('ZDYHJS', atSite())
    expect(await seen(who)).toBe('revenue orders energy online faults tickets trend plugs types')
    expect((await figure(who, 'online')).data).toMatchObject({ value: '1', of: '2' })
    expect(await valueOf(who, 'orders')).toBe('1')
    expect(await valueOf(who, 'revenue')).toBe('10.00')
    expect(await valueOf(who, 'energy')).toBe('5000')
    expect((await figure(who, 'tickets')).data).toMatchObject({
      value: '1',
      parts: [
        { label: '由我负责', value: '0' },
        { label: '未派发', value: '1' },
      ],
    })
    expect((await api.call(who.token, workTable.plugs, {})).data.ports).toBe(12)
    const waiting = await toDo(who)
    expect(waiting.find(({ kind }) => kind === 'alarm')?.count).toBe(1)
    expect(waiting.find(({ kind }) => kind === 'repairTicket')?.count).toBe(1)
  })

  it('shows nothing of another site of the organisation', async () => {
    const who = await holder('ZDYHJS', atSite())
    for (const name of ['orders', 'online', 'tickets'] as const) {
      const { data } = await api.call(who.token, workTable.figure, {
        params: { name },
        query: { siteId: otherSiteId } as never,
      })
      expect(data.value, name).toBe('0')
    }
    const { data } = await api.call(who.token, deviceManage.list, { query: { pageSize: 500 } })
    expect(new Set(data.rows.map(({ siteId }) => siteId))).toEqual(new Set([fixture.green.siteId]))
  })
})

describe('the desk of an installer', () => {
  it('shows the devices of the agent that wait for installation, and the tickets, each with its link', async () => {
    const who = await holder('INSTALLER', { agentId: fixture.green.subAgentId, userType: 4 })
    expect(await seen(who)).toBe('installs tickets')
    expect((await figure(who, 'installs')).data).toMatchObject({ value: '1', of: '2' })
    const before = await toDo(who)
    expect(before.map(({ kind, count }) => [kind, count])).toEqual([
      ['repairTicket', 0],
      ['install', 1],
    ])
    const [device] = await api.sql<{ id: string; no: string }>(
      'select id, device_no as no from device where site_id = $1 and install_status = 0',
      [fixture.green.siteId],
    )
    expect(before[1]?.rows).toMatchObject([
      { title: `${device?.no} · 站点green`, route: `/product/deviceScan?device=${device?.no}` },
    ])
    await api.sql('update repair_ticket set assignee_id = $2, assigned_at = now() where site_id = $1', [
      fixture.green.siteId,
      who.id,
    ])
    expect((await figure(who, 'tickets')).data).toMatchObject({ value: '1', parts: [{ value: '1' }, { value: '0' }] })
    await api.sql('update device set install_status = 1 where id = $1', [device?.id])
    expect(await valueOf(who, 'installs')).toBe('0')
    await api.sql('update device set install_status = 0 where id = $1', [device?.id])
  })

  it('counts everything below an agent for the agent, and everything for the platform', async () => {
    expect(await valueOf(fixture.green.agent, 'installs')).toBe('2')
    expect(await valueOf(fixture.green.subAgent, 'installs')).toBe('1')
    expect(await valueOf(fixture.platform.root, 'installs')).toBe('3')
    // An administrator does not see devices in store.
    expect((await toDo(fixture.green.admin)).map(({ kind }) => kind)).not.toContain('install')
  })
})

describe('the desk of a union-pay account', () => {
  it('shows the income and today’s recharges of its own organisation', async () => {
    const who = await holder('YLZH')
    expect(await seen(who)).toBe('income recharges')
    expect(await valueOf(who, 'income')).toBe('20.00')
    expect((await figure(who, 'recharges')).data).toMatchObject({
      value: '20.00',
      parts: [{ label: '退款', value: '0.00' }],
    })
  })
})

describe('the desks of SIM users and testers', () => {
  it('show online devices by type and alarms of their own organisation', async () => {
    for (const [code, names] of [
      ['SIMCARD', 'online faults plugs types'],
      ['SCWX', 'online faults tickets plugs types'],
    ] as const) {
      const who = await holder(code)
      expect(await seen(who), code).toBe(names)
      expect((await figure(who, 'online')).data).toMatchObject({ value: '2', of: '4' })
      const { data } = await api.call(who.token, workTable.types, {})
      expect(data.rows.map((row) => [row.id, row.devices, row.online])).toEqual(
        expect.arrayContaining([
          [models.mqtt, 2, 2],
          [models.dny, 2, 0],
        ]),
      )
      expect((await toDo(who)).find(({ kind }) => kind === 'alarm')?.count).toBe(2)
    }
  })
})

describe('the desk of an investor', () => {
  it('shows devices and reports of the investor’s place', async () => {
    const who = await holder('LHYYTZR')
    expect(await seen(who)).toBe('revenue orders energy online faults trend plugs types')
    expect(await valueOf(who, 'orders')).toBe('2')
    const there = await holder('LHYYTZR', atSite())
    expect(await valueOf(there, 'orders')).toBe('1')
    expect((await figure(there, 'online')).data).toMatchObject({ value: '1', of: '2' })
  })
})

describe('the desk of an operator', () => {
  it('shows every figure of the agent and of the agents below it', async () => {
    const who = await holder('YYSYHJS', { agentId: fixture.green.subAgentId })
    expect(await seen(who)).toBe(
      'revenue orders energy members online faults income recharges installs tickets trend plugs types',
    )
    expect(await valueOf(who, 'orders')).toBe('1')
    expect(await valueOf(await holder('YYSYHJS', { agentId: fixture.green.agentId }), 'orders')).toBe('2')
  })
})
