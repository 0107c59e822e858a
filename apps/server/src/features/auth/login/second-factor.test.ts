import { ownFactor } from '@wattdeck/contract/personal/own-factor.ts'
import { ownSession } from '@wattdeck/contract/personal/own-session.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import {
  type Actor,
  makePerson,
  makeFixture,
  openSession,
  password,
  tenantMenus,
  type Fixture,
} from '../../../../test/harness/people.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import { totpCode, totpStep } from './totp.ts'

const api = await startApi()
const fixture = await makeFixture(api)

let serial = 0
const makeUser = (menus: string[] = []) =>
  makePerson(api, { organiseId: fixture.green.id, loginName: `factor_${++serial}`, menus })
const logIn = async ({ loginName }: { loginName: string }) =>
  (await api.call(undefined, login.byPassword, { body: { loginName, password } })).data

/** Binds an authenticator and returns its secret, the recovery codes and the new session. */
async function bind(token: string, call: TestApi['call'] = api.call) {
  const { data } = await call(token, login.startEnrolment, { body: { password } })
  const code = totpCode(data.secret, totpStep(Date.now()))
  const bound = await call(token, login.confirmEnrolment, { body: { code } })
  return {
    secret: data.secret,
    codes: bound.data.recoveryCodes,
    token: bound.data.access_token,
    stage: bound.data.stage,
  }
}
const recover = (token: string, code: string) => api.call(token, login.recover, { body: { code } })

async function solvedCaptcha(of: TestApi) {
  const { data } = await of.call(undefined, login.captcha)
  const [row] = await of.sql<{ answer: string }>('select answer from captcha where id = $1', [data.captchaId])
  return { captchaId: data.captchaId, captchaCode: row?.answer ?? '' }
}
async function bySms(of: TestApi, phone: string) {
  await of.call(undefined, login.sendSmsCode, { body: { phone, purpose: 'login', ...(await solvedCaptcha(of)) } })
  const [sent] = await of.sql<{ code: string }>(
    "select params ->> 'code' as code from sms_message where phone = $1 order by id desc limit 1",
    [phone],
  )
  return of.call(undefined, login.bySms, { body: { phone, code: sent?.code ?? '' } })
}

describe('recovery codes', () => {
  it('[attack.L8] are ten, shown once when the first factor is bound, and stored as hashes', async () => {
    const person = await makeUser()
    const { codes, token } = await bind(person.token)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await api.call(token, ownFactor.read)).data.recoveryCodesLeft).toBe(10)
    const rows = await api.sql<{ text: string }>(
      "select encode(code_hash, 'escape') as text from recovery_code where user_id = $1",
      [person.id],
    )
    expect(rows).toHaveLength(10)
    const logged = await api.sql<{ text: string }>(
      'select coalesce(changes::text, content) as text from audit_log where user_id = $1',
      [person.id],
    )
    for (const { text } of [...rows, ...logged])
      for (const code of codes) expect(text).not.toContain(code.replaceAll('-', ''))
  })

  it('[attack.L8] each replace a lost factor once, and their owner is notified', async () => {
    const person = await makeUser()
    const { codes } = await bind(person.token)
    const halfway = await logIn(person)
    expect(halfway.stage).toBe('secondFactor')
    const entered = await recover(halfway.access_token, (codes[0] ?? '').toLowerCase().replaceAll('-', ' '))
    expect(entered.data.stage).toBe('full')
    expect((await recover((await logIn(person)).access_token, codes[0] ?? '')).status).toBe(422)
    const notices = await api.sql<{ body: string }>('select body from notification where user_id = $1', [person.id])
    expect(notices.map(({ body }) => body).join()).toContain('使用恢复码登录，剩余9个恢复码')
    const sessions = await api.call(entered.data.access_token, ownSession.list)
    expect(sessions.data.find(({ isCurrent }) => isCurrent)?.factor).toBe('recovery')
  })

  it('are refused for another person and in a full session', async () => {
    const [one, two] = [await makeUser(), await makeUser()]
    const bound = await bind(one.token)
    const others = await bind(two.token)
    expect((await recover((await logIn(one)).access_token, others.codes[0] ?? '')).status).toBe(422)
    expect((await recover(bound.token, bound.codes[0] ?? '')).status).toBe(422)
  })

  it('are limited like the factor itself: five wrong codes lock the account', async () => {
    const person = await makeUser()
    const { codes } = await bind(person.token)
    const { access_token } = await logIn(person)
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess++) statuses.push((await recover(access_token, 'A'.repeat(16))).status)
    expect(statuses).toEqual([422, 422, 422, 422, 401])
    expect((await recover(access_token, codes[0] ?? '')).status).toBe(401)
  })

  it('do not confirm sensitive actions, but allow replacing the lost factor, which issues new codes', async () => {
    const person = await makeUser(['1.1.3'])
    const { codes, secret } = await bind(person.token)
    const entered = await recover((await logIn(person)).access_token, codes[3] ?? '')
    const { access_token } = entered.data
    expect((await api.call(access_token, staff.resetPassword, { body: { id: '987654321' } })).status).toBe(428)
    expect((await api.call(access_token, ownFactor.renewRecoveryCodes)).status).toBe(428)
    const replaced = await bind(access_token)
    expect(replaced.secret).not.toBe(secret)
    expect(replaced.codes).toHaveLength(10)
    const halfway = await logIn(person)
    expect((await recover(halfway.access_token, codes[4] ?? '')).status).toBe(422)
    expect((await recover(halfway.access_token, replaced.codes[4] ?? '')).status).toBe(200)
  })

  it('are reissued to their owner with a fresh proof', async () => {
    const person = await makeUser()
    const { token, codes } = await bind(person.token)
    const renewed = await api.call(token, ownFactor.renewRecoveryCodes)
    expect(renewed.data.recoveryCodes).toHaveLength(10)
    expect((await recover((await logIn(person)).access_token, codes[0] ?? '')).status).toBe(422)
  })
})

describe('a lost second factor', () => {
  let asker: Actor
  let decider: Actor
  beforeAll(async () => {
    asker = await makePerson(api, { organiseId: fixture.green.id, loginName: 'reset_asker', menus: tenantMenus })
    decider = await makePerson(api, { organiseId: fixture.green.id, loginName: 'reset_decider', menus: tenantMenus })
  })
  const ask = (token: string, id: string) =>
    api.call(token, staff.askFactorReset, { body: { id, reason: '手机遗失，已当面核实身份' } })
  const approve = (token: string, id: string) => api.call(token, staff.approveFactorReset, { body: { id } })
  async function bound() {
    const person = await makeUser()
    await bind(person.token)
    await api.sql('delete from credential_change where user_id = $1', [person.id])
    return person
  }

  it('[attack.L8] is reset by two people, and the next login binds a new one', async () => {
    const person = await bound()
    const before = await openSession(api, person.id)
    expect((await ask(asker.token, person.id)).status).toBe(200)
    expect((await ask(asker.token, person.id)).status).toBe(409)
    const { data: list } = await api.call(decider.token, staff.list, { query: { keyword: person.loginName } })
    expect(list.rows[0]).toMatchObject({ hasFactor: true, factorReset: { askedBy: '姓名reset_asker' } })
    expect((await approve(asker.token, person.id)).message).toBe('不能审批自己提交的申请')
    expect((await logIn(person)).stage).toBe('secondFactor')
    expect((await approve(decider.token, person.id)).status).toBe(200)
    expect((await api.call(before, session.userInfo)).status).toBe(401)
    const next = await logIn(person)
    expect(next.stage).toBe('enrol')
    expect((await api.call(next.access_token, session.userInfo)).status).toBe(401)
    const again = await bind(next.access_token)
    expect(again.stage).toBe('full')
    expect(again.codes).toHaveLength(10)
    expect((await logIn(person)).stage).toBe('secondFactor')
    const [count] = await api.sql<{ n: number }>(
      `select count(*)::int as n from sms_message where template = 'SMS_FACTOR' and phone = $1 and params ->> 'what' = '二次验证'`,
      [person.phone],
    )
    expect(count?.n).toBe(1)
  })

  it('is not reset by its owner, by a stranger, or without a request', async () => {
    const person = await bound()
    expect((await approve(decider.token, person.id)).status).toBe(409)
    expect((await ask(fixture.swift.admin.token, person.id)).status).toBe(404)
    expect((await ask(asker.token, asker.id)).status).toBe(409)
    expect((await ask(asker.token, person.id)).status).toBe(200)
    expect(
      (await api.call(fixture.swift.admin.token, staff.declineFactorReset, { body: { id: person.id } })).status,
    ).toBe(404)
    expect((await api.call(asker.token, staff.declineFactorReset, { body: { id: person.id } })).status).toBe(200)
    expect((await approve(decider.token, person.id)).status).toBe(409)
  })

  it('is not reset if the requester just set the password, and neither participant can set the password afterwards', async () => {
    const person = await bound()
    await ask(asker.token, person.id)
    await api.sql(
      `insert into credential_change (organise_id, user_id, kind, changed_by) values ($1, $2, 'password', $3)`,
      [fixture.green.id, person.id, asker.id],
    )
    expect((await approve(decider.token, person.id)).message).toContain('须由其他人处理')
    await api.sql('delete from credential_change where user_id = $1', [person.id])
    expect((await approve(decider.token, person.id)).status).toBe(200)
    for (const { token } of [asker, decider])
      expect((await api.call(token, staff.resetPassword, { body: { id: person.id } })).message).toContain(
        '二次验证重置',
      )
  })

  it('needs a fresh proof of the requester and of the approver', async () => {
    const person = await bound()
    const stale = await openSession(api, asker.id)
    await api.sql("update session set factor_at = now() - interval '11 minutes' where token_hash = $1", [sha256(stale)])
    expect((await ask(stale, person.id)).status).toBe(428)
    expect((await approve(stale, person.id)).status).toBe(428)
  })
})

describe('an installation that requires a second factor of all operators', () => {
  let strict: TestApi
  let own: Fixture
  beforeAll(async () => {
    strict = await startApi({ secondFactorLevel: 5 })
    own = await makeFixture(strict)
  })
  const enter = (loginName: string) => strict.call(undefined, login.byPassword, { body: { loginName, password } })

  it('[attack.L8] lets a person with write rights only bind one at login', async () => {
    const { id: organiseId, agentId, subAgentId, siteId } = own.green
    const places = [
      ['at_organise', { organiseId }],
      ['at_agent', { organiseId, agentId }],
      ['at_site', { organiseId, agentId: subAgentId, siteId }],
    ] as const
    for (const [loginName, place] of places) {
      await makePerson(strict, { ...place, loginName, menus: ['1.1.3'] })
      const { data } = await enter(loginName)
      expect(data.stage, loginName).toBe('enrol')
      expect((await strict.call(data.access_token, session.userInfo)).status).toBe(401)
      expect((await strict.call(data.access_token, staff.list)).status).toBe(401)
      const bound = await bind(data.access_token, strict.call)
      expect(bound.stage).toBe('full')
      expect((await strict.call(bound.token, session.userInfo)).status).toBe(200)
      expect((await enter(loginName)).data.stage).toBe('secondFactor')
    }
  })

  it('admits read-only persons without one', async () => {
    await makePerson(strict, { organiseId: own.green.id, loginName: 'reader', menus: ['1.1.3'], actions: false })
    expect((await enter('reader')).data.stage).toBe('full')
  })

  it('binds no factor by a text message alone, and opens no session by one for a person with a factor', async () => {
    const person = await makePerson(strict, { organiseId: own.green.id, loginName: 'by_message', menus: ['1.1.3'] })
    expect(await bySms(strict, person.phone)).toMatchObject({
      status: 401,
      message: '您的账号须绑定二次验证，请使用密码登录',
    })
    const { data } = await enter('by_message')
    await bind(data.access_token, strict.call)
    await strict.sql('delete from attempt')
    const message = await bySms(strict, person.phone)
    expect(message.data.stage).toBe('secondFactor')
    expect((await strict.call(message.data.access_token, session.userInfo)).status).toBe(401)
  })
})
