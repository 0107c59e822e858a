import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const enter = (loginName: string, password: string) =>
  api.call(undefined, login.byPassword, { body: { loginName, password } })
const ended = { status: 401, message: '初始密码已失效，请通过短信重置密码或联系管理员' }
let serial = 0

/** An account whose password its administrator knows. */
async function firstPassword(how: 'new' | 'reset') {
  const loginName = `first_${how}_${++serial}`
  if (how === 'reset') {
    const { id } = await makePerson(api, { organiseId: fixture.green.id, loginName })
    const { data } = await api.call(fixture.green.admin.token, staff.resetPassword, { body: { id } })
    return { id, loginName, password: data.initialPassword }
  }
  const body = { employeeNo: loginName, name: '新人', loginName, phone: `1580000${String(1000 + serial)}` }
  const { data } = await api.call(fixture.green.admin.token, staff.add, { body })
  return { id: data.id, loginName, password: data.initialPassword }
}
/** Moves the expiry of the first password back. */
const age = (id: string, hours: number) =>
  api.sql(
    'update user_account set first_password_ends_at = first_password_ends_at - make_interval(hours => $2) where id = $1',
    [id, hours],
  )

describe.each(['new', 'reset'] as const)('a password that another person set (%s)', (how) => {
  it('[attack.L8] is valid for 72 hours', async () => {
    const young = await firstPassword(how)
    await age(young.id, 71)
    expect((await enter(young.loginName, young.password)).data.stage).toBe('password')
    const old = await firstPassword(how)
    await age(old.id, 72)
    expect(await enter(old.loginName, old.password)).toMatchObject(ended)
  })

  it('[attack.L8] is valid for one login, which must set a new password', async () => {
    const { loginName, password } = await firstPassword(how)
    const first = await enter(loginName, password)
    expect((await api.call(first.data.access_token, session.userInfo)).status).toBe(401)
    expect(await enter(loginName, password)).toMatchObject(ended)
    const renewed = await api.call(first.data.access_token, login.renewPassword, {
      body: { oldPassword: password, newPassword: 'Chosen-by-me-7' },
    })
    expect(renewed.data.stage).toBe('full')
    expect((await enter(loginName, 'Chosen-by-me-7')).data.stage).toBe('full')
    expect((await enter(loginName, 'Chosen-by-me-7')).data.stage).toBe('full')
  })
})
