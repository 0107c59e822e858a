import { login } from '@wattdeck/contract/auth/login.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeFixture, openSession, type Fixture } from '../harness/people.ts'

let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
})

let serial = 0
const person = () => {
  const tag = `${Date.now()}${++serial}`
  return { employeeNo: `I${tag}`, name: '同一人', loginName: `once${tag}`, phone: `136${tag.slice(-8)}` }
}
const add = (key: string, body: ReturnType<typeof person>, token = fixture.green.admin.token) =>
  api.call(token, staff.add, { body, headers: { 'idempotency-key': key } })

describe('an idempotency key', () => {
  it('is required where a record is created', async () => {
    expect(
      await api.call(fixture.green.admin.token, staff.add, { body: person(), headers: { 'idempotency-key': '' } }),
    ).toMatchObject({ status: 422 })
  })

  it('runs twenty concurrent requests once, with one reply', async () => {
    const key = crypto.randomUUID()
    const body = person()
    const replies = await Promise.all(Array.from({ length: 20 }, () => add(key, body)))
    expect(new Set(replies.map(({ status, data }) => `${status} ${JSON.stringify(data)}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await api.sql('select 1 from user_account where login_name = $1', [body.loginName])).toHaveLength(1)
    expect(
      await api.sql("select 1 from audit_log where content = '新增员工' and changes::text like '%' || $1 || '%'", [
        body.loginName,
      ]),
    ).toHaveLength(1)
  })

  it('refuses another request under the same key, and is valid for one person only', async () => {
    const key = crypto.randomUUID()
    expect((await add(key, person())).status).toBe(200)
    expect(await add(key, person())).toMatchObject({ status: 422, message: '该幂等键已用于另一请求' })
    expect((await add(key, person(), fixture.swift.admin.token)).status).toBe(200)
  })

  it('stores nothing of a refused request: the corrected one succeeds under the same key', async () => {
    const key = crypto.randomUUID()
    const duplicate = { ...person(), loginName: 'green_admin' }
    expect((await add(key, duplicate)).status).toBe(409)
    expect((await add(key, { ...duplicate, loginName: `free${Date.now()}` })).status).toBe(200)
  })

  it('is released after a counted refusal: the same wrong code is refused twice', async () => {
    const token = await openSession(api, fixture.platform.root.id, 'secondFactor')
    await api.sql('update user_account set totp_secret = $2 where id = $1', [
      fixture.platform.root.id,
      api.deps.vault.seal('GEZDGNBVGY3TQOJQ'),
    ])
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const statuses = []
    for (let time = 0; time < 2; time++)
      statuses.push((await api.call(token, login.secondFactor, { body: { code: '000000' }, headers })).status)
    expect(statuses).toEqual([422, 422])
  })

  it('stores no readable initial password', async () => {
    const key = crypto.randomUUID()
    const { data } = await add(key, person())
    const [row] = await api.sql<{ text: string }>('select reply as text from idempotency_key where key = $1', [key])
    expect(row?.text).toBeTruthy()
    expect(row?.text).not.toContain(data.initialPassword)
  })
})
