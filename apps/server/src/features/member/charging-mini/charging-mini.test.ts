import { chargingMini } from '@wattdeck/contract/member/charging-mini.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { openRecharge } from '@wattdeck/contract/open/open-recharge.ts'
import type { OpenClient } from '@wattdeck/open-client/open-client.ts'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiUrl } from '../../../../../../tools/ops/database.ts'
import { makeOpenApp, makeStation } from '../../../../test/fixtures/charging.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { newAppId } from '../../../../test/fixtures/open-keys.ts'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Actor, makeFixture, type Fixture } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
let client: OpenClient
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  client = await makeOpenApp(api, fixture.green.id)
})

const closedText = '该小程序已停用，请联系运营商'
const add = (by: Actor, wish: object = {}) =>
  api.call(by.token, chargingMini.add, {
    body: { organiseId: by.organiseId, channel: '2', appId: newAppId(), name: '绿行充电', ...wish } as never,
  })
async function made(by: Actor, wish: object = {}) {
  const appId = newAppId()
  const reply = await add(by, { appId, ...wish })
  expect(reply.message).toBe('操作成功')
  return { id: reply.data.id, appId }
}
const rowsFor = async (by: Actor, query: object = {}) =>
  (await api.call(by.token, chargingMini.list, { query: query as never })).data.rows
const toggle = (by: Actor, id: string, status: '0' | '1') =>
  api.call(by.token, chargingMini.toggle, { body: { id, status } as never })
const remove = (by: Actor, id: string) => api.call(by.token, chargingMini.remove, { body: { id } })
const login = async (appId: string, more: object = {}) =>
  (
    await client.call(openCharging.saveMember, {
      body: { appId, openId: crypto.randomUUID(), nickname: '王', ...more } as never,
    })
  ).memberId

describe('a stranger', () => {
  it('neither sees nor changes an app of another organisation', async () => {
    const { id, appId } = await made(fixture.green.admin)
    const stranger = fixture.swift.admin
    expect(await rowsFor(stranger, { keyword: appId })).toEqual([])
    expect(await rowsFor(stranger, { organiseId: fixture.green.id })).toEqual([])
    const edited = await api.call(stranger.token, chargingMini.edit, { body: { id, name: 'x' } as never })
    const statuses = [edited, await toggle(stranger, id, '0'), await remove(stranger, id)].map(({ status }) => status)
    expect(statuses).toEqual([404, 404, 404])
    expect((await add(stranger, { organiseId: fixture.green.id })).status).toBe(404)
    expect(await rowsFor(fixture.platform.admin, { keyword: appId })).toMatchObject([{ id, status: 1 }])
  })

  it('includes staff of agents and sites of the organisation, whatever their role grants', async () => {
    const { id } = await made(fixture.green.admin)
    for (const actor of [fixture.green.agent, fixture.green.subAgent, fixture.green.site]) {
      const replies = [
        await api.call(actor.token, chargingMini.list),
        await api.call(actor.token, chargingMini.exportList, { body: { query: '', columns: 'name' } as never }),
        await add(actor),
        await api.call(actor.token, chargingMini.edit, { body: { id, name: 'x' } as never }),
        await toggle(actor, id, '0'),
        await remove(actor, id),
      ]
      expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    }
  })

  it('is refused by row-level security below the organisation, without any check of the api', async () => {
    const { id } = await made(fixture.green.admin)
    const role = new pg.Client({ connectionString: apiUrl(api.database) })
    await role.connect()
    await role.query(
      `select set_config('app.scope_level', '2', false), set_config('app.organise_id', $1, false),
        set_config('app.agent_ids', $2, false), set_config('app.site_ids', '{}', false)`,
      [fixture.green.id, `{${fixture.green.agentId}}`],
    )
    const changed = await role.query('update member_app set status = 0 where id = $1', [id])
    const removed = await role.query('delete from member_app where id = $1', [id])
    const insert = role.query("insert into member_app (organise_id, channel, app_id, name) values ($1, 1, 'wx', 'x')", [
      fixture.green.id,
    ])
    await expect(insert).rejects.toThrow(/row-level security/)
    const keys = await role.query('select id from open_app')
    await role.end()
    expect([changed.rowCount, removed.rowCount, keys.rowCount]).toEqual([0, 0, 0])
  })
})

describe('an app', () => {
  it('is registered by its organisation, edited, found by every filter and exported', async () => {
    const { admin } = fixture.green
    const look = { themeColor: '#1677FF', hotline: '400-123-4567', domain: 'Mini.Example.cn' }
    const { id, appId } = await made(admin, { name: '甲小程序', channel: '1', ...look })
    expect(await rowsFor(admin, { keyword: appId })).toMatchObject([
      {
        id,
        appId,
        name: '甲小程序',
        channel: 1,
        status: 1,
        organiseId: fixture.green.id,
        themeColor: '#1677ff',
        hotline: '400-123-4567',
        domain: 'mini.example.cn',
        merchantNo: null,
        hasMembers: false,
        createdBy: `姓名${admin.loginName}`,
      },
    ])
    const edited = await api.call(admin.token, chargingMini.edit, { body: { id, name: '乙小程序' } as never })
    expect(edited.status).toBe(200)
    const [row] = await rowsFor(admin, { keyword: '乙小程' })
    expect(row).toMatchObject({ id, name: '乙小程序', themeColor: null, hotline: null, domain: null })
    const ids = async (query: object) => (await rowsFor(fixture.platform.admin, query)).map((one) => one.id)
    expect(await ids({ organiseId: fixture.green.id, channel: '1', status: '1' })).toContain(id)
    for (const other of [{ channel: '2' }, { status: '0' }, { organiseId: fixture.swift.id }])
      expect(await ids(other)).not.toContain(id)
    const body = { query: '', columns: 'name,appId' } as never
    expect((await api.call(admin.token, chargingMini.exportList, { body })).status).toBe(200)
  })

  it('shows the merchant that receives the payments of its organisation, and none that is disabled', async () => {
    const { id, appId } = await made(fixture.swift.admin)
    const merchant = (merchantNo: string, status: number, isDefault: boolean) =>
      api.sql(
        `insert into pay_merchant (organise_id, provider, mode, name, app_id, merchant_no, fee_e5, is_default, status, tested_at, authorised_by, authorised_at, created_by)
         values ($1, 1, 1, '商户', 'wx', $2, 600, $3, $4, now(), '测试', now(), '测试')`,
        [fixture.swift.id, merchantNo, isDefault, status],
      )
    const shown = async () => (await rowsFor(fixture.swift.admin, { keyword: appId })).map((row) => row.merchantNo)
    await merchant('1900000001', 0, false)
    expect(await shown()).toEqual([null])
    await merchant('1900000002', 1, false)
    await merchant('1900000003', 1, true)
    expect(await shown()).toEqual(['1900000003'])
    expect((await remove(fixture.swift.admin, id)).status).toBe(200)
  })

  it('[attack.K6] is registered once in an organisation, and does not keep another organisation from its AppID', async () => {
    const appId = newAppId()
    const by = async (actor: Actor) => (await add(actor, { appId })).message
    expect([await by(fixture.green.admin), await by(fixture.green.admin), await by(fixture.swift.admin)]).toEqual([
      '操作成功',
      '该AppID已登记',
      '操作成功',
    ])
    const memberId = await login(appId)
    const owner = await api.sql('select organise_id from member where id = $1', [memberId])
    expect(owner).toEqual([{ organise_id: fixture.green.id }])
  })

  it.each([
    ['appId', 'wx123', '请输入微信AppID：wx开头，共18位小写字母和数字'],
    ['themeColor', 'red', '请选择主题色'],
    ['hotline', '12', '请输入正确的客服电话，如400-123-4567'],
    ['domain', 'https://mini.example.cn/', '请输入域名，不含https://和路径，如mini.example.cn'],
    ['name', 'x'.repeat(61), '小程序名称不能超过60个字符'],
  ])('with an invalid %s is refused with a message', async (name, value, message) => {
    expect(await add(fixture.green.admin, { [name]: value })).toMatchObject({ status: 422, message })
  })

  it('is removed only while no member is registered through it', async () => {
    const { id, appId } = await made(fixture.green.admin)
    await login(appId)
    expect(await rowsFor(fixture.green.admin, { keyword: appId })).toMatchObject([{ hasMembers: true }])
    expect(await remove(fixture.green.admin, id)).toMatchObject({ status: 409 })
    const unused = await made(fixture.green.admin)
    expect((await remove(fixture.green.admin, unused.id)).status).toBe(200)
    expect(await rowsFor(fixture.green.admin, { keyword: unused.appId })).toEqual([])
  })
})

describe('a disabled app', () => {
  it('refuses login, recharge and start of its members, until it is enabled', async () => {
    const { admin } = fixture.green
    const { id, appId } = await made(admin)
    const memberId = await login(appId)
    const { deviceNo } = await makeStation(api, fixture.green, await makeModels(api))
    const attempts = () =>
      Promise.all(
        [
          login(appId),
          client.call(openRecharge.add, { body: { memberId, amount: '10.00', provider: '1', way: '1' } as never }),
          client.call(openCharging.start, {
            body: { memberId, deviceNo, portNo: '1', limitBy: '1', amount: '3.00' } as never,
          }),
        ].map((call) =>
          call.then(
            () => 'accepted',
            (error: Error) => error.message,
          ),
        ),
      )
    expect((await toggle(admin, id, '0')).status).toBe(200)
    expect((await toggle(admin, id, '0')).status).toBe(409)
    expect(await attempts()).toEqual([closedText, closedText, closedText])
    expect(await api.sql('select from recharge_order where member_id = $1', [memberId])).toEqual([])
    expect((await client.call(openCharging.member, { params: { memberId } })).memberId).toBe(memberId)
    await toggle(admin, id, '1')
    // Without merchant and balance, these are refused later and for another reason.
    expect(await attempts()).not.toContain(closedText)
  })

  it('refuses nothing to a member who is also registered through an enabled app, except by its open id', async () => {
    const { admin } = fixture.green
    const [first, second] = [await made(admin), await made(admin, { channel: '1' })]
    const openId = crypto.randomUUID()
    const memberId = await login(first.appId, { openId, unionId: `u${openId}` })
    expect(await login(second.appId, { unionId: `u${openId}` })).toBe(memberId)
    await toggle(admin, first.id, '0')
    const recharge = (more: object) =>
      client
        .call(openRecharge.add, { body: { memberId, amount: '10.00', provider: '1', way: '1', ...more } as never })
        .catch((error: Error) => error.message)
    expect(await recharge({ way: '2', openId })).toBe(closedText)
    expect(await recharge({})).not.toBe(closedText)
  })

  it('refuses nothing to a member without an app', async () => {
    const { id, identityId } = await makeMember(api, { organiseId: fixture.green.id })
    await api.sql('delete from member_identity where id = $1', [identityId])
    const reply = client.call(openRecharge.add, {
      body: { memberId: id, amount: '1.00', provider: '1', way: '1' } as never,
    })
    expect(await reply.catch((error: Error) => error.message)).not.toBe(closedText)
  })
})
