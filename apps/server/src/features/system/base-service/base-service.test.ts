import { notification } from '@wattdeck/contract/auth/notification.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { baseService, expiryPolicy } from '@wattdeck/contract/system/base-service.ts'
import { shanghaiDay } from '@wattdeck/domain/base-service.ts'
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { apiUrl, workerUrl } from '../../../../../../tools/ops/database.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { refreshBaseServices } from './base-service.jobs.ts'

/** The menus of a user in an organisation, with every action. */
const menus = ['1', '1.4', '1.4.1', '2', '2.1']
const api = await startApi()
const fixture = await makeFixture(api)
const holder = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_holder', menus })
const worker = new pg.Pool({ connectionString: workerUrl(api.database), max: 2, options: '-c timezone=Asia/Shanghai' })
afterAll(() => worker.end())

const dayMs = 86_400_000
const dayFromNow = (days: number) => shanghaiDay(Date.now() + days * dayMs)
const terms = (organiseId: string, days: number) => ({
  organiseId,
  // Text on the wire, fen in the database: the test client sends the value unchanged.
  unitPrice: '36.50' as never,
  freeDevices: 5,
  cycle: 12 as const,
  expiresOn: dayFromNow(days),
  graceDays: 3,
  warnDays: 15,
  expiryPolicy: expiryPolicy.code.stop,
})
const set = (token: string, organiseId: string, days: number, rest: object = {}) =>
  api.call(token, baseService.set, { body: { ...terms(organiseId, days), ...rest } })
const root = () => fixture.platform.root.token
const statusOf = async (organiseId: string) =>
  (await api.sql<{ s: number }>('select basic_service_status as s from organise where id = $1', [organiseId]))[0]?.s
const eventsOf = async (organiseId: string) =>
  (
    await api.sql<{ kind: string; subject: string }>(
      "select payload ->> 'kind' as kind, subject from outbox where organise_id = $1 order by id",
      [organiseId],
    )
  ).map(({ kind, subject }) => `${kind} ${subject}`)

beforeEach(async () => {
  await api.sql('delete from organise_base_service')
  await api.sql('update organise set basic_service_status = 1')
  await api.sql('delete from outbox')
  await api.sql('delete from notification')
})

describe('a stranger', () => {
  it('neither reads nor sets the terms of another organisation, nor reads its status', async () => {
    const { id } = fixture.swift
    expect((await set(root(), id, 40)).status).toBe(200)
    expect((await api.call(holder.token, baseService.read, { query: { organiseId: id } })).status).toBe(404)
    const reply = await api.call(holder.token, baseService.status, {
      query: { organiseId: id, baseService: 'PLATFORM' },
    })
    expect(reply).toMatchObject({ status: 404, data: null })
    expect((await set(holder.token, id, 400)).status).toBe(403)
  })

  it('cannot set their own terms either, in the api and in the database', async () => {
    expect((await set(holder.token, fixture.green.id, 400)).status).toBe(403)
    const client = new pg.Client({ connectionString: apiUrl(api.database) })
    await client.connect()
    const settings = { scope_level: '1', organise_id: fixture.green.id, agent_ids: '{}', site_ids: '{}' }
    for (const [name, value] of Object.entries(settings))
      await client.query('select set_config($1, $2, false)', [`app.${name}`, value])
    const insert = `insert into organise_base_service (id, organise_id, unit_price_fen, free_devices, cycle, expires_on, grace_days, warn_days, expiry_policy)
      values ($1, $1, 1, 0, 12, '2099-01-01', 0, 1, 2)`
    await expect(client.query(insert, [fixture.green.id])).rejects.toThrow(/row-level security/)
    await client.end()
  })

  it('cannot use an agent of another organisation as one of their own', async () => {
    const ask = (agentId: string, token = holder.token) =>
      api.call(token, baseService.status, {
        query: { organiseId: fixture.green.id, baseService: 'PLATFORM', agentId },
      })
    expect((await ask(fixture.swift.agentId)).status).toBe(404)
    expect((await ask(fixture.green.agentId)).status).toBe(200)
    expect((await ask(fixture.green.subAgentId, fixture.green.site.token)).status).toBe(200)
    expect((await ask(fixture.green.agentId, fixture.green.site.token)).status).toBe(404)
  })

  it('reads the terms of their own organisation without the menu of organisations; an agent reads none', async () => {
    const { green, swift, platform } = fixture
    const read = (token: string, organiseId: string) => api.call(token, baseService.read, { query: { organiseId } })
    await set(root(), green.id, 40)
    expect((await read(green.clerk.token, green.id)).data.terms).toMatchObject({ unitPrice: '36.50' })
    expect((await read(platform.root.token, green.id)).status).toBe(200)
    for (const { token } of [green.agent, green.site, green.installer, swift.clerk])
      expect((await read(token, green.id)).status).toBe(403)
  })

  it('reads the status with an empty agent', async () => {
    const query = { organiseId: fixture.green.id, baseService: 'PLATFORM' } as const
    const search = new URLSearchParams({ ...query, agentId: '' }).toString()
    const response = await fetch(`${api.url}${baseService.status.path}?${search}`, {
      headers: { authorization: `Bearer ${holder.token}` },
    })
    expect(response.status).toBe(200)
  })
})

describe('the terms', () => {
  it('are read as they were set, with amounts as text, and can be set again', async () => {
    const { id } = fixture.green
    const empty = await api.call(holder.token, baseService.read, { query: { organiseId: id } })
    expect(empty.data).toEqual({ organiseId: id, organiseName: '机构green', status: 1, terms: null })
    await set(root(), id, 40)
    await set(root(), id, 41, { cycle: 1, freeDevices: 0, graceDays: 0 })
    const { data } = await api.call(holder.token, baseService.read, { query: { organiseId: id } })
    expect(data.terms).toMatchObject({
      unitPrice: '36.50',
      freeDevices: 0,
      cycle: 1,
      expiresOn: dayFromNow(41),
      graceDays: 0,
      warnDays: 15,
      expiryPolicy: 1,
      updatedBy: '姓名root',
    })
  })

  it.each([
    { unitPrice: '0' },
    { unitPrice: '1.234' },
    { expiresOn: '2026-02-30' },
    { graceDays: 91 },
    { warnDays: 0 },
    { cycle: 3 },
    { expiryPolicy: 0 },
    { freeDevices: -1 },
  ])('are refused with %o', async (rest) => {
    expect((await set(root(), fixture.green.id, 40, rest)).status).toBe(422)
  })

  it('of the platform itself cannot be set, because they could lock it out', async () => {
    expect(await set(root(), '1', -40)).toMatchObject({ status: 422, message: '平台自身无需设置基础服务' })
  })

  it('of an organisation that does not exist are not set', async () => {
    expect((await set(root(), '999999', 40)).status).toBe(404)
  })

  it('are logged under the id of the organisation, together with the resulting status', async () => {
    await set(root(), fixture.green.id, -10)
    const [line] = await api.sql<{ changes: { table: string; rowId: string }[] }>(
      "select changes from audit_log where content = '设置基础服务' and result = 1 order by id desc limit 1",
    )
    const touched = line?.changes.map(({ table, rowId }) => `${table} ${rowId}`).toSorted()
    expect(touched).toEqual([`organise ${fixture.green.id}`, `organise_base_service ${fixture.green.id}`])
  })
})

describe('the status', () => {
  it.each([
    [16, 1],
    [15, 3],
    [0, 3],
    [-3, 3],
    [-4, 2],
  ])('%i days from the expiry is %i', async (days, status) => {
    await set(root(), fixture.green.id, days)
    expect(await statusOf(fixture.green.id)).toBe(status)
    expect(await statusOf(fixture.swift.id)).toBe(1)
  })

  it('is returned with the relevant days and the phone of the platform', async () => {
    await api.sql("update organise set service_phone = '400-1' where id = 1")
    await api.sql("update organise set service_phone = '400-2' where id = $1", [fixture.green.id])
    await set(root(), fixture.green.id, -10)
    const query = { organiseId: fixture.green.id, baseService: 'PLATFORM' as const }
    const { data } = await api.call(fixture.green.site.token, baseService.status, { query })
    expect(data).toEqual({
      value: 2,
      expiresOn: dayFromNow(-10),
      stopsOn: dayFromNow(-6),
      servicePhone: '400-1',
    })
    const user = await api.call(fixture.green.clerk.token, session.userInfo)
    expect(user.data).toMatchObject({ basicServiceStatus: 2, serviceExpiresOn: dayFromNow(-10) })
  })

  it('is not arrears and has no day of stopping where the expiry only causes a reminder', async () => {
    await set(root(), fixture.green.id, -100, { expiryPolicy: expiryPolicy.code.remind })
    const query = { organiseId: fixture.green.id, baseService: 'PLATFORM' as const }
    const { data } = await api.call(fixture.green.clerk.token, baseService.status, { query })
    expect(data).toMatchObject({ value: 3, stopsOn: null })
  })

  it('stays unchanged without terms', async () => {
    await api.sql('update organise set basic_service_status = 2 where id = $1', [fixture.swift.id])
    await refreshBaseServices(worker)
    expect(await statusOf(fixture.swift.id)).toBe(2)
    const query = { organiseId: fixture.swift.id, baseService: 'PLATFORM' as const }
    const { data } = await api.call(fixture.swift.clerk.token, baseService.status, { query })
    expect(data).toMatchObject({ value: 2, expiresOn: null, stopsOn: null })
  })
})

describe('a change of the status', () => {
  it('reaches every open console of the organisation, and notifies its own users only', async () => {
    await set(root(), fixture.green.id, 10)
    const events = await eventsOf(fixture.green.id)
    expect(events).toContain(`rights live.${fixture.green.id}.user.${fixture.green.site.id}`)
    expect(events).toContain(`notice live.${fixture.green.id}.user.${fixture.green.clerk.id}`)
    expect(events).not.toContain(`notice live.${fixture.green.id}.user.${fixture.green.site.id}`)
    expect(await eventsOf(fixture.swift.id)).toEqual([])
    const list = await api.call(fixture.green.clerk.token, notification.list)
    expect(list.data.rows).toMatchObject([
      { title: '基础服务', body: `您的基础服务将于 ${dayFromNow(10)} 到期，请及时续费`, type: 3, read: false },
    ])
    const [payload] = await api.sql<{ payload: unknown }>(
      "select payload from outbox where payload ->> 'kind' = 'notice' limit 1",
    )
    expect(notification.live.data.parse(payload?.payload)).toBeDefined()
  })

  it('is not notified again while it lasts', async () => {
    await set(root(), fixture.green.id, 10)
    await api.sql('delete from outbox')
    await set(root(), fixture.green.id, 9)
    await refreshBaseServices(worker)
    expect(await eventsOf(fixture.green.id)).toEqual([])
  })

  it('back to normal needs no notification', async () => {
    await set(root(), fixture.green.id, -10)
    await api.sql('delete from outbox')
    await set(root(), fixture.green.id, 400)
    expect((await eventsOf(fixture.green.id)).every((event) => event.startsWith('rights'))).toBe(true)
    expect(await statusOf(fixture.green.id)).toBe(1)
  })
})

describe('a new day', () => {
  const middayIn = (days: number) => Date.parse(`${dayFromNow(days)}T12:00:00+08:00`)

  it('updates the due statuses, changes nothing else, and writes one log entry', async () => {
    await set(root(), fixture.green.id, 20)
    await set(root(), fixture.swift.id, 400)
    const touched = () =>
      api.sql<{ id: string; at: string }>('select id, updated_at::text as at from organise order by id')
    const before = await touched()
    await refreshBaseServices(worker, middayIn(4))
    expect(await touched()).toEqual(before)
    await refreshBaseServices(worker, middayIn(5))
    expect(await statusOf(fixture.green.id)).toBe(3)
    const changed = (await touched()).filter(({ at }, place) => at !== before[place]?.at)
    expect(changed.map(({ id }) => id)).toEqual([fixture.green.id])
    await refreshBaseServices(worker, middayIn(24))
    expect(await statusOf(fixture.green.id)).toBe(2)
    const lines = await api.sql<{ user_name: string; changes: unknown[] }>(
      "select user_name, changes from audit_log where path = 'baseService.refresh' order by id",
    )
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({ user_name: '系统', changes: [{ table: 'organise', rowId: fixture.green.id }] })
    const texts = await api.sql<{ body: string }>(
      'select body from notification where organise_id = $1 group by body order by min(id)',
      [fixture.green.id],
    )
    expect(texts.map(({ body }) => body)).toEqual([
      `您的基础服务将于 ${dayFromNow(20)} 到期，请及时续费`,
      '您的基础服务已欠费，部分功能已停用，请尽快缴费',
    ])
  })

  it('begins at midnight in Shanghai', async () => {
    await set(root(), fixture.green.id, 20, { warnDays: 1 })
    const midnight = Date.parse(`${dayFromNow(19)}T00:00:00+08:00`)
    await refreshBaseServices(worker, midnight - 1)
    expect(await statusOf(fixture.green.id)).toBe(1)
    await refreshBaseServices(worker, midnight)
    expect(await statusOf(fixture.green.id)).toBe(3)
  })

  it('does not overwrite terms that are set concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      await set(root(), fixture.green.id, 20)
      await Promise.all([
        ...Array.from({ length: 2 }, () => refreshBaseServices(worker, middayIn(30))),
        set(root(), fixture.green.id, 400),
        ...Array.from({ length: 2 }, () => refreshBaseServices(worker, middayIn(30))),
      ])
      expect(await statusOf(fixture.green.id)).toBe(1)
    }
  })
})
