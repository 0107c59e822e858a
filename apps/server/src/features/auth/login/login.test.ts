import { login } from '@wattdeck/contract/auth/login.ts'
import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture, openSession, password } from '../../../../test/harness/people.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import { base32, matchingStep, totpCode, totpStep } from './totp.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const tryPassword = (loginName: string, word: string, captcha: object = {}) =>
  api.call(undefined, login.byPassword, { body: { loginName, password: word, ...captcha } })

async function solvedCaptcha() {
  const { data } = await api.call(undefined, login.captcha)
  const [row] = await api.sql<{ answer: string }>('select answer from captcha where id = $1', [data.captchaId])
  return { captchaId: data.captchaId, captchaCode: row?.answer ?? '' }
}

describe('password', () => {
  it('accepts the right password and opens a working session', async () => {
    const { status, data } = await tryPassword('green_admin', password)
    expect({ status, stage: data.stage }).toEqual({ status: 200, stage: 'full' })
    const info = await api.call(data.access_token, session.userInfo)
    expect(info.data.loginName).toBe('green_admin')
    expect(info.data.access_token).toBe(data.access_token)
  })

  it('stores only the hash of the token', async () => {
    const { data } = await tryPassword('green_admin', password)
    const rows = await api.sql('select 1 from session where token_hash = $1', [sha256(data.access_token)])
    expect(rows).toHaveLength(1)
    const [tokenCount] = await api.sql<{ n: string }>(
      "select count(*) as n from session where encode(token_hash, 'escape') like '%' || $1 || '%'",
      [data.access_token],
    )
    expect(tokenCount?.n).toBe('0')
  })

  it('requires a captcha after three wrong guesses, locks after five, and refuses a right sixth', async () => {
    await makePerson(api, { organiseId: fixture.green.id, loginName: 'guessed' })
    const messages: string[] = []
    for (let guess = 0; guess < 5; guess++) {
      const captcha = guess < 3 ? {} : await solvedCaptcha()
      messages.push((await tryPassword('guessed', 'Wrong-pass-123', captcha)).message)
    }
    expect(messages[0]).toBe('账号或密码错误')
    expect(messages[2]).toContain('请输入图形验证码')
    expect(messages[4]).toContain('账号已锁定')
    const sixth = await tryPassword('guessed', password, await solvedCaptcha())
    expect(sixth.status).toBe(401)
    expect(sixth.message).toContain('账号已锁定')

    await api.sql("update user_account set locked_until = now() - interval '1 second' where login_name = 'guessed'")
    await api.sql("update attempt set expires_at = now() - interval '1 second'")
    expect((await tryPassword('guessed', password)).status).toBe(200)
  })

  it('is not evaluated without its captcha', async () => {
    const { id } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'captchaed' })
    const guessThrice = () =>
      api.sql("insert into attempt (key, count, expires_at) values ($1, 3, now() + interval '9 minutes')", [
        `password:${id}`,
      ])
    await guessThrice()
    expect(await tryPassword('captchaed', password)).toMatchObject({ status: 422, message: '请输入图形验证码' })
    const used = await solvedCaptcha()
    expect((await tryPassword('captchaed', password, used)).status).toBe(200)
    await guessThrice()
    expect((await tryPassword('captchaed', password, used)).status).toBe(422)
  })

  it('handles unknown and existing login names alike', async () => {
    await makePerson(api, { organiseId: fixture.green.id, loginName: 'somebody_here' })
    const script = async (name: string) => {
      const replies: string[] = []
      for (let guess = 0; guess < 6; guess++) {
        const reply = await tryPassword(name, 'Wrong-pass-123', guess < 3 ? {} : await solvedCaptcha())
        replies.push(`${reply.status} ${reply.message}`)
      }
      return replies
    }
    expect(await script('nobody_here')).toEqual(await script('somebody_here'))
  })

  it('evaluates at most five of a hundred concurrent guesses', async () => {
    const { id } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'stormed' })
    await Promise.all(Array.from({ length: 40 }, (_, place) => tryPassword('stormed', `Guess-number-${place}`)))
    const [row] = await api.sql<{ count: number }>('select count from attempt where key = $1', [`password:${id}`])
    // Three are evaluated; each further guess needs its own captcha.
    expect(row?.count).toBe(3)
  })

  it('[attack.L12] allows five guesses even to a client that solves every captcha', async () => {
    const { id } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'read_by_machine' })
    const captchas = await Promise.all(Array.from({ length: 40 }, solvedCaptcha))
    await Promise.all(captchas.map((solved, place) => tryPassword('read_by_machine', `Guess-number-${place}`, solved)))
    const [row] = await api.sql<{ count: number; locked: boolean }>(
      'select count, locked_until > now() as locked from attempt, user_account where key = $1 and id = $2',
      [`password:${id}`, id],
    )
    expect(row).toEqual({ count: 5, locked: true })
    expect((await tryPassword('read_by_machine', password, await solvedCaptcha())).status).toBe(401)
  })

  it('of a disabled account or organisation opens no session', async () => {
    const person = await makePerson(api, { organiseId: fixture.swift.id, loginName: 'disabled_one' })
    await api.sql('update user_account set status = 0 where id = $1', [person.id])
    expect((await tryPassword('disabled_one', password)).status).toBe(401)
    expect((await api.call(person.token, session.userInfo)).status).toBe(401)
  })

  it('older than 90 days must be renewed before any other action', async () => {
    await makePerson(api, { organiseId: fixture.green.id, loginName: 'outdated', menus: ['2'] })
    await api.sql(
      "update user_account set password_changed_at = now() - interval '91 days' where login_name = 'outdated'",
    )
    const { data } = await tryPassword('outdated', password)
    expect(data.stage).toBe('password')
    expect((await api.call(data.access_token, session.userInfo)).status).toBe(401)
    const weak = await api.call(data.access_token, login.renewPassword, {
      body: { oldPassword: password, newPassword: 'short' },
    })
    expect(weak.status).toBe(422)
    const same = await api.call(data.access_token, login.renewPassword, {
      body: { oldPassword: password, newPassword: password },
    })
    expect(same.message).toContain('最近5次')
    const renewed = await api.call(data.access_token, login.renewPassword, {
      body: { oldPassword: password, newPassword: 'Kilowatt-hours-7' },
    })
    expect(renewed.data.stage).toBe('full')
    expect((await api.call(renewed.data.access_token, session.userInfo)).status).toBe(200)
    expect((await api.call(data.access_token, session.userInfo)).status).toBe(401)
  })
})

describe('second factor', () => {
  it('matches the codes of RFC 6238', () => {
    const secret = base32(Buffer.from('12345678901234567890'))
    expect(totpCode(secret, totpStep(59_000))).toBe('287082')
    expect(totpCode(secret, totpStep(1_111_111_109_000))).toBe('081804')
    expect(totpCode(secret, totpStep(20_000_000_000_000))).toBe('353130')
    expect(matchingStep(secret, '287082', 59_000, 0)).toBe(1)
    expect(matchingStep(secret, '287082', 59_000, 1)).toBeUndefined()
  })

  it('is enrolled by a platform administrator at the first login and required at the next', async () => {
    await makePerson(api, { organiseId: '1', loginName: 'new_root', menus: '*', topLevel: 0, code: 'ADMIN' })
    const first = await tryPassword('new_root', password)
    expect(first.data.stage).toBe('enrol')
    expect((await api.call(first.data.access_token, staff.list)).status).toBe(401)
    const enrolment = await api.call(first.data.access_token, login.startEnrolment)
    expect(enrolment.data.uri).toContain(enrolment.data.secret)
    expect((await api.call(first.data.access_token, login.confirmEnrolment, { body: { code: '000000' } })).status).toBe(
      422,
    )
    const step = totpStep(Date.now())
    const confirmed = await api.call(first.data.access_token, login.confirmEnrolment, {
      body: { code: totpCode(enrolment.data.secret, step) },
    })
    expect(confirmed.data.stage).toBe('full')
    expect((await api.call(confirmed.data.access_token, staff.list)).status).toBe(200)

    const again = await tryPassword('new_root', password)
    expect(again.data.stage).toBe('secondFactor')
    const replayed = await api.call(again.data.access_token, login.secondFactor, {
      body: { code: totpCode(enrolment.data.secret, step) },
    })
    expect(replayed.status).toBe(422)
    const next = await api.call(again.data.access_token, login.secondFactor, {
      body: { code: totpCode(enrolment.data.secret, step + 1) },
    })
    expect(next.data.stage).toBe('full')
    const [row] = await api.sql<{ totp_secret: string }>(
      "select totp_secret from user_account where login_name = 'new_root'",
    )
    expect(row?.totp_secret).not.toContain(enrolment.data.secret)
  })

  it('is bound later with the password, replaced with a fresh proof, and never bound in a session on behalf of another person', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'binds_later', menus: ['2'] })
    expect((await api.call(person.token, login.startEnrolment, { body: {} })).status).toBe(422)
    const started = await api.call(person.token, login.startEnrolment, { body: { password } })
    const code = totpCode(started.data.secret, totpStep(Date.now()))
    const confirmed = await api.call(person.token, login.confirmEnrolment, { body: { code } })
    expect(confirmed.data.stage).toBe('full')
    // Replacement needs a fresh proof of the bound factor.
    await api.sql("update session set factor_at = now() - interval '11 minutes' where token_hash = $1", [
      sha256(confirmed.data.access_token),
    ])
    expect((await api.call(confirmed.data.access_token, login.startEnrolment, { body: { password } })).status).toBe(428)

    const { data } = await api.call(fixture.green.admin.token, staff.quickLogin, {
      body: { id: fixture.green.installer.id },
    })
    const borrowed = await api.call(undefined, login.byTicket, { body: { ticket: data.ticket } })
    expect((await api.call(borrowed.data.access_token, login.startEnrolment, { body: { password } })).status).toBe(403)
  })

  it('ends the session after five wrong codes', async () => {
    await makePerson(api, { organiseId: '1', loginName: 'guessed_root', menus: '*', topLevel: 1, code: 'ADMIN' })
    await api.sql("update user_account set totp_secret = $1 where login_name = 'guessed_root'", [
      api.deps.vault.seal(base32(Buffer.alloc(20, 1))),
    ])
    const { data } = await tryPassword('guessed_root', password)
    for (let guess = 0; guess < 4; guess++)
      expect((await api.call(data.access_token, login.secondFactor, { body: { code: '000000' } })).status).toBe(422)
    expect((await api.call(data.access_token, login.secondFactor, { body: { code: '000000' } })).status).toBe(401)
    expect((await api.call(data.access_token, login.logout)).status).toBe(401)
  })
})

describe('sms code', () => {
  const codeFor = async (phone: string, purpose: 'login' | 'reset') => {
    const smsReply = await api.call(undefined, login.sendSmsCode, {
      body: { phone, purpose, ...(await solvedCaptcha()) },
    })
    const [row] = await api.sql<{ code: string }>(
      "select params ->> 'code' as code from sms_message where phone = $1 order by id desc limit 1",
      [phone],
    )
    return { asked: smsReply, code: row?.code ?? '' }
  }

  it('logs in once, and not a second time', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'by_sms', menus: ['2'] })
    const { asked: smsReply, code } = await codeFor(person.phone, 'login')
    expect(smsReply.message).toContain('60秒')
    expect((await api.call(undefined, login.bySms, { body: { phone: person.phone, code } })).data.stage).toBe('full')
    expect((await api.call(undefined, login.bySms, { body: { phone: person.phone, code } })).status).toBe(401)
  })

  it('allows five tries', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'by_sms_guess' })
    const { code } = await codeFor(person.phone, 'login')
    const wrong = code === '111111' ? '222222' : '111111'
    for (let guess = 0; guess < 5; guess++)
      await api.call(undefined, login.bySms, { body: { phone: person.phone, code: wrong } })
    expect((await api.call(undefined, login.bySms, { body: { phone: person.phone, code } })).status).toBe(401)
  })

  it('is not sent twice within a minute or to an unknown phone, with the same reply in both cases', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'by_sms_twice' })
    const existing = await codeFor(person.phone, 'login')
    const unknown = await codeFor('19900000001', 'login')
    expect(unknown.asked.message).toBe(existing.asked.message)
    expect(await api.sql("select 1 from sms_message where phone = '19900000001'")).toHaveLength(0)
    expect((await codeFor(person.phone, 'login')).asked.status).toBe(429)
    expect((await codeFor('19900000001', 'login')).asked.status).toBe(429)
  })

  it('resets the password, ends all sessions and unlocks the account', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'ephemeral' })
    await api.sql("update user_account set locked_until = now() + interval '10 minutes' where id = $1", [person.id])
    const { code } = await codeFor(person.phone, 'reset')
    const weak = await api.call(undefined, login.resetPassword, {
      body: { phone: person.phone, code, newPassword: 'ephemeral-A1' },
    })
    expect(weak.message).toContain('不能包含登录账号')
    const done = await api.call(undefined, login.resetPassword, {
      body: { phone: person.phone, code, newPassword: 'Fresh-volts-9' },
    })
    expect(done.status).toBe(200)
    expect((await api.call(person.token, session.userInfo)).status).toBe(401)
    expect((await tryPassword('ephemeral', 'Fresh-volts-9')).status).toBe(200)
  })
})

describe('quick login', () => {
  it('works once, for a person whose rights the issuer holds, and is logged with both names', async () => {
    const { admin, clerk } = fixture.green
    const issued = await api.call(admin.token, staff.quickLogin, { body: { id: clerk.id } })
    expect(issued.status).toBe(200)
    const used = await api.call(undefined, login.byTicket, { body: { ticket: issued.data.ticket } })
    const info = await api.call(used.data.access_token, session.userInfo)
    expect(info.data).toMatchObject({ loginName: 'green_clerk', actedBy: admin.id })
    expect((await api.call(undefined, login.byTicket, { body: { ticket: issued.data.ticket } })).status).toBe(401)
    const change = await api.call(used.data.access_token, changePassword.change, {
      body: { oldPassword: password, newPassword: 'Borrowed-me-1' },
    })
    expect(change.status).toBe(403)
  })

  it('is refused for a person with rights that the issuer lacks, for another organisation and for platform administrators', async () => {
    const stronger = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'green_strong',
      menus: ['1.1.1'],
      topLevel: 2,
    })
    expect((await api.call(fixture.green.admin.token, staff.quickLogin, { body: { id: stronger.id } })).status).toBe(
      403,
    )
    expect(
      (await api.call(fixture.green.admin.token, staff.quickLogin, { body: { id: fixture.swift.clerk.id } })).status,
    ).toBe(404)
    expect(
      (await api.call(fixture.platform.root.token, staff.quickLogin, { body: { id: fixture.platform.admin.id } }))
        .status,
    ).toBe(403)
  })

  it('expires after five minutes', async () => {
    const issued = await api.call(fixture.green.admin.token, staff.quickLogin, { body: { id: fixture.green.clerk.id } })
    await api.sql("update login_ticket set expires_at = now() - interval '1 second' where used_at is null")
    expect((await api.call(undefined, login.byTicket, { body: { ticket: issued.data.ticket } })).status).toBe(401)
  })
})

describe('the audit log', () => {
  it('contains every login, successful or failed, and each password reset by text message', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'logged_in' })
    await tryPassword('logged_in', 'Wrong-pass-123')
    await tryPassword('logged_in', password)
    await api.call(undefined, login.sendSmsCode, {
      body: { phone: person.phone, purpose: 'reset', ...(await solvedCaptcha()) },
    })
    const [sent] = await api.sql<{ code: string }>(
      "select params ->> 'code' as code from sms_message where phone = $1",
      [person.phone],
    )
    await api.call(undefined, login.resetPassword, {
      body: { phone: person.phone, code: sent?.code ?? '', newPassword: 'Fresh-volts-9' },
    })
    const logged = await api.sql<{ line: string; tables: string }>(
      `select content || ' ' || result as line, (select string_agg(distinct change ->> 'table', ',') from jsonb_array_elements(changes) change) as tables
       from audit_log where user_id = $1 order by seq`,
      [person.id],
    )
    expect(logged).toEqual([
      { line: '密码登录 0', tables: null },
      { line: '密码登录 1', tables: 'user_account' },
      { line: '获取短信验证码 1', tables: null },
      { line: '短信重置密码 1', tables: 'credential_change,user_account' },
    ])
  })
})

describe('an address', () => {
  it('is limited in calls of public routes per minute', async () => {
    const strict = await startApi({ publicPerMinute: 3 })
    const statuses = []
    for (let time = 0; time < 5; time++) statuses.push((await strict.call(undefined, login.captcha)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })
})

describe('session', () => {
  it('ends by logout', async () => {
    const token = await openSession(api, fixture.green.clerk.id)
    expect((await api.call(token, login.logout)).message).toBe('已安全退出')
    expect((await api.call(token, session.userInfo)).status).toBe(401)
  })

  it('ends after 30 idle minutes and after 12 hours', async () => {
    for (const column of ["last_seen_at = now() - interval '31 minutes'", "created_at = now() - interval '13 hours'"]) {
      const token = await openSession(api, fixture.green.clerk.id)
      await api.sql(`update session set ${column} where token_hash = $1`, [sha256(token)])
      expect((await api.call(token, session.userInfo)).status).toBe(401)
    }
  })
})
