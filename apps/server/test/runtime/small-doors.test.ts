import { paySetting } from '@wattdeck/contract/accounting/pay-setting.ts'
import { payAuth } from '@wattdeck/contract/accounting/pay-auth.ts'
import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { makePerson, makeFixture, type Fixture } from '../harness/people.ts'

/** Smaller attacks of the review, each reproduced. */
let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
})

describe('an account', () => {
  it('[attack.M7] is removed although another tenant has registered its replacement name and phone', async () => {
    const { id } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'to_be_gone' })
    const [row] = await api.sql<{ phone: string }>(
      "select '19' || lpad(($1::bigint % 1000000000)::text, 9, '0') as phone",
      [id],
    )
    await makePerson(api, { organiseId: fixture.swift.id, loginName: `gone_${id}` })
    await api.sql('update user_account set phone = $1 where login_name = $2', [row?.phone, `gone_${id}`])
    expect((await api.call(fixture.green.admin.token, staff.remove, { body: { ids: [id] } })).status).toBe(200)
    await makePerson(api, { organiseId: fixture.swift.id, loginName: 'to_be_gone' })
    await expect(makePerson(api, { organiseId: fixture.green.id, loginName: 'to_be_gone' })).rejects.toThrow('unique')
  })
})

describe('a value in use by another organisation', () => {
  it('[attack.L3] is revealed to one person thirty times in half an hour, with a log entry each time', async () => {
    const prober = await makePerson(api, { organiseId: fixture.green.id, loginName: 'asks_for_all', menus: '*' })
    const { phone } = fixture.swift.admin
    const ask = async (phoneInUse: string) => {
      const body = { employeeNo: 'E1', name: '新人', loginName: `new${Date.now()}`, phone: phoneInUse }
      return (await api.call(prober.token, staff.add, { body: body as never })).status
    }
    const statuses = []
    for (let time = 0; time < 32; time++) statuses.push(await ask(phone))
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 409), 429, 429])
    const logged = await api.sql('select from audit_log where user_id = $1 and result = 0', [prober.id])
    expect(logged.length).toBe(32)
    // A phone without an account is still accepted.
    expect(await ask('13911112222')).toBe(200)
  })
})

describe('text messages', () => {
  it('[attack.L2] for a new phone are limited to ten a day, per phone and per person', async () => {
    const phone = '13900001111'
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'texts_much', menus: ['2'] })
    const ask = async (token: string, to: string) => {
      await api.sql("update sms_code set created_at = now() - interval '2 minutes'")
      return (await api.call(token, bindPhone.sendCode, { body: { phone: to } })).status
    }
    const statuses = []
    for (let time = 0; time < 12; time++) statuses.push(await ask(person.token, phone))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    const other = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'texts_too', menus: ['2'] })
    expect(await ask(other.token, phone)).toBe(429)
    expect(await ask(person.token, '13900002222')).toBe(429)
  })
})

describe('merchants of an organisation', () => {
  it('[attack.L4] are hidden from agents and sites, whatever rights their roles have', async () => {
    await api.sql(
      `insert into pay_merchant (organise_id, provider, mode, name, app_id, merchant_no, fee_e5, created_by)
       values ($1, 1, 1, '商户', 'wx1', '1900000001', 600, '测试')`,
      [fixture.green.id],
    )
    const seen = async (token: string) =>
      Promise.all(
        [paySetting.list, payAuth.list].map(async (route) => {
          const { status, data } = await api.call(token, route)
          return status === 200 ? data.rows.length : status
        }),
      )
    const owner = await makePerson(api, { organiseId: fixture.green.id, loginName: 'pay_owner', menus: '*' })
    expect(await seen(owner.token)).toEqual([1, 1])
    const [site] = await api.sql<{ id: string }>(
      "insert into site (organise_id, name) values ($1, '站') returning id",
      [fixture.green.id],
    )
    const below = await makePerson(api, {
      organiseId: fixture.green.id,
      siteId: site?.id ?? '',
      userType: 3,
      loginName: 'pay_site',
      menus: '*',
    })
    expect(await seen(below.token)).toEqual([0, 0])
  })
})

describe('a query outside the address', () => {
  it('[attack.M12] is read as a part of it, once, and with the same checks', async () => {
    await makePerson(api, { organiseId: fixture.green.id, loginName: 'looked_for' })
    const ask = async (search: string, hidden: string) => {
      const headers = { authorization: `Bearer ${fixture.green.admin.token}`, 'x-query': hidden }
      const reply = await fetch(`${api.url}${staff.list.path}?${search}`, { headers })
      const { data } = (await reply.json()) as { data: { rows: { loginName: string }[] } | null }
      return data === null ? reply.status : data.rows.map(({ loginName }) => loginName)
    }
    expect(await ask('pageNum=1', 'keyword=looked_for')).toEqual(['looked_for'])
    expect(await ask('keyword=other', 'keyword=looked_for')).toBe(422)
    expect(await ask('', 'roleTopLevel=0')).toBe(422)
  })
})

describe('the public documents', () => {
  it('[attack.L9] describe the calls of programs only, and no page can be embedded, re-based or made to report elsewhere', async () => {
    const reply = await fetch(`${api.url}/openapi.json`)
    const { paths } = (await reply.json()) as { paths: Record<string, object> }
    const signed = allRoutes.filter(({ route }) => route.access === 'signed').map(({ route }) => route.path)
    expect(Object.keys(paths).toSorted()).toEqual([...new Set(signed)].toSorted())
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy.split(';')).toEqual(
      expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "font-src 'self'"]),
    )
    expect(policy).not.toContain('https:')
    expect(reply.headers.get('permissions-policy')).toContain('microphone=()')
  })
})
