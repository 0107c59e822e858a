import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { refusedEnvelope } from '@wattdeck/contract/kit/route.ts'
import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { makeFixture, type Fixture } from '../harness/people.ts'

let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
})

async function post(path: string, token: string, body: Record<string, string>) {
  const reply = await fetch(api.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
    body: new URLSearchParams(body),
  })
  return { status: reply.status, ...refusedEnvelope.parse(await reply.json()) }
}

describe('a refused input', () => {
  it('names its fields, with the first message of each, and keeps data null', async () => {
    const reply = await post(staff.add.path, fixture.green.admin.token, {
      employeeNo: '!',
      name: '张伟',
      loginName: 'x',
      phone: '1',
    })
    expect(reply).toMatchObject({ status: 422, success: false, data: null })
    expect(reply.fields).toEqual({
      employeeNo: '请输入正确的工号',
      loginName: '登录账号须以字母开头，4-30位字母、数字或下划线',
      phone: '请输入正确的手机号',
    })
    expect(reply.message).toContain('请输入正确的手机号')
  })

  it('names a missing field too, and no unknown field of the caller', async () => {
    const reply = await post(role.add.path, fixture.green.admin.token, { name: '甲', userType: '1', surprise: '1' })
    expect(Object.keys(reply.fields ?? {})).toEqual(['code'])
  })

  it('is refused in Chinese by every route, for missing and unknown fields', async () => {
    const { token } = fixture.platform.root
    const english: string[] = []
    let requestCount = 0
    for (const { feature, name, route } of allRoutes) {
      if (route.access === 'signed' || route.encoding === 'raw' || route.reply !== 'json') continue
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() }
      const url = `${route.path.replaceAll(/\{\w+\}/g, 'x')}?madeUp=1`
      const payload = route.encoding === 'json' ? { madeUp: '1' } : new URLSearchParams({ madeUp: '1' }).toString()
      const type = route.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
      const reply = await api.app.inject({
        method: route.method,
        url,
        headers: { ...headers, ...(route.method === 'POST' ? { 'content-type': type } : {}) },
        ...(route.method === 'POST' ? { payload } : {}),
      })
      if (reply.statusCode !== 422) continue
      requestCount++
      const { message } = reply.json<{ message: string }>()
      if (/[a-z]{3,} [a-z]{2,}/i.test(message)) english.push(`${feature}.${name}: ${message}`)
    }
    expect(english).toEqual([])
    expect(requestCount).toBeGreaterThan(allRoutes.length / 2)
  })

  it('of a query names its fields', async () => {
    const reply = await fetch(`${api.url}${staff.list.path}?pageSize=0&organiseId=x`, {
      headers: { authorization: `Bearer ${fixture.green.admin.token}` },
    })
    expect(refusedEnvelope.parse(await reply.json()).fields).toEqual({
      pageSize: '请输入1到500之间的整数',
      organiseId: '编号格式不正确',
    })
  })

  it('is named by a handler that knows the field', async () => {
    const reply = await post(changePassword.change.path, fixture.green.clerk.token, {
      oldPassword: 'not this',
      newPassword: 'Another-2026!',
    })
    expect(reply).toMatchObject({ status: 422, fields: { oldPassword: '原密码不正确' } })
  })
})

describe('any other refusal', () => {
  it('names no field', async () => {
    const { token } = fixture.green.admin
    expect(await post(staff.unlock.path, token, { id: fixture.swift.clerk.id })).toEqual({
      status: 404,
      success: false,
      message: '记录不存在或已被删除',
      data: null,
    })
    expect((await post(staff.unlock.path, fixture.green.withoutRights.token, { id: '1' })).fields).toBeUndefined()
  })
})
