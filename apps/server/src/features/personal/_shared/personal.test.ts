import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture, openSession, password } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const picture = (format: 'png' | 'jpeg' | 'gif', side = 300) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#1890FF' } })
    .toFormat(format)
    .toBuffer()
const upload = (token: string, bytes: Buffer, type = 'image/png') =>
  api.call(token, basicInfo.uploadAvatar, { file: new Blob([new Uint8Array(bytes)], { type }) })

describe('basic info', () => {
  it('is the person’s own, with the phone masked, and can be edited', async () => {
    const { clerk } = fixture.green
    const edited = await api.call(clerk.token, basicInfo.edit, { body: { name: '新名字', email: 'new@example.cn' } })
    expect(edited.status).toBe(200)
    const { data } = await api.call(clerk.token, basicInfo.read)
    expect(data).toMatchObject({
      name: '新名字',
      email: 'new@example.cn',
      address: null,
      phone: `${clerk.phone.slice(0, 3)}****${clerk.phone.slice(-4)}`,
    })
  })

  it('remembers theme and colour for the next login', async () => {
    await api.call(fixture.green.clerk.token, basicInfo.saveAppearance, { body: { theme: 'dark', color: '#722ED1' } })
    const { data } = await api.call(fixture.green.clerk.token, session.userInfo)
    expect(data).toMatchObject({ theme: 'dark', color: '#722ED1' })
  })
})

describe('a picture', () => {
  it('is encoded anew as a small square', async () => {
    const { status, data } = await upload(fixture.green.clerk.token, await picture('jpeg'))
    expect(status).toBe(200)
    const bytes = Buffer.from(data.avatar.split(',')[1] ?? '', 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
    expect((await api.call(fixture.green.clerk.token, session.userInfo)).data.avatar).toBe(data.avatar)
  })

  it('stands in the log as changed, without its bytes', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'pictured' })
    await upload(person.token, await picture('png'))
    const logged = await api.sql<{ result: number; after: string }>(
      "select result, changes #>> '{0,after,avatar}' as after from audit_log where user_id = $1 and content = '上传头像'",
      [person.id],
    )
    expect(logged).toEqual([{ result: 1, after: '******' }])
  })

  it('of another kind, or larger than 800 KB, or only named a picture, is refused', async () => {
    const { token } = fixture.green.clerk
    expect(await upload(token, await picture('gif'))).toMatchObject({ status: 422, message: '仅支持 JPG、PNG 格式' })
    expect((await upload(token, Buffer.from('<svg onload="alert(1)"/>'))).status).toBe(422)
    expect((await upload(token, Buffer.alloc(900_000, 1))).status).toBe(413)
    expect((await upload(token, (await picture('png')).subarray(0, 200))).status).toBe(422)
  })
})

describe('a changed password', () => {
  it('ends every session and opens the next one', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'changing' })
    const other = await openSession(api, person.id)
    const wrong = await api.call(person.token, changePassword.change, {
      body: { oldPassword: 'Not-mine-at-1', newPassword: 'Amperes-and-9' },
    })
    expect(wrong).toMatchObject({ status: 422, message: '原密码不正确' })
    const weak = await api.call(person.token, changePassword.change, {
      body: { oldPassword: password, newPassword: 'abcdefghij' },
    })
    expect(weak.status).toBe(422)
    const done = await api.call(person.token, changePassword.change, {
      body: { oldPassword: password, newPassword: 'Amperes-and-9' },
    })
    expect(done.message).toContain('请重新登录')
    expect((await api.call(other, session.userInfo)).status).toBe(401)
    expect(
      (await api.call(undefined, login.byPassword, { body: { loginName: 'changing', password: 'Amperes-and-9' } }))
        .status,
    ).toBe(200)
  })
})

describe('a new phone', () => {
  const codeOf = async (phone: string) =>
    (
      await api.sql<{ code: string }>(
        "select params ->> 'code' as code from sms_message where phone = $1 order by id desc limit 1",
        [phone],
      )
    )[0]?.code ?? ''

  it('needs the code sent to it and the password', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'rebinding' })
    const phone = '18800001111'
    expect((await api.call(person.token, bindPhone.sendCode, { body: { phone } })).message).toContain('60秒')
    expect((await api.call(person.token, bindPhone.sendCode, { body: { phone } })).status).toBe(429)
    const code = await codeOf(phone)
    expect(
      (await api.call(person.token, bindPhone.bind, { body: { phone, code, password: 'Not-mine-at-1' } })).message,
    ).toBe('密码不正确')
    expect(
      (await api.call(person.token, bindPhone.bind, { body: { phone: '18800002222', code, password } })).status,
    ).toBe(422)
    expect((await api.call(person.token, bindPhone.bind, { body: { phone, code, password } })).status).toBe(200)
    expect((await api.call(person.token, bindPhone.current)).data.phone).toBe('188****1111')
  })

  it('that somebody else has is refused, also across organisations', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'rebinding_taken' })
    const { phone } = fixture.swift.clerk
    await api.call(person.token, bindPhone.sendCode, { body: { phone } })
    expect(
      (await api.call(person.token, bindPhone.bind, { body: { phone, code: await codeOf(phone), password } })).status,
    ).toBe(409)
  })

  it('cannot be bound with a code that was sent for somebody else', async () => {
    const one = await makePerson(api, { organiseId: fixture.green.id, loginName: 'rebinding_one' })
    const two = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'rebinding_two' })
    const phone = '18800003333'
    await api.call(one.token, bindPhone.sendCode, { body: { phone } })
    expect(
      (await api.call(two.token, bindPhone.bind, { body: { phone, code: await codeOf(phone), password } })).status,
    ).toBe(422)
  })
})
