import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { bindPhone } from '@wattdeck/contract/personal/bind-phone.ts'
import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { AddressLimit } from '../../src/kit/http/address-limit.ts'
import { addressOf, callerOf as networkOf, proxiesOf } from '../../src/kit/http/address.ts'
import { RefusalDelay } from '../../src/kit/http/refusal-delay.ts'
import { sha256 } from '../../src/kit/auth/tokens.ts'
import { base32, totpCode, totpStep } from '../../src/features/auth/login/totp.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { makePerson, makeFixture, openSession, password, type Fixture } from '../harness/people.ts'

/** Attacks on the login routes: guessing with headers that a client sends and a proxy forwards. */
let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi({ trustProxy: proxiesOf('1') })
  fixture = await makeFixture(api)
})

/** Headers that a client may send. An appending proxy forwards them; a wrong proxy count trusts them. */
const forwarded = [
  { 'x-forwarded-for': 'x17' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-for': ',' },
  { 'x-forwarded-for': '8.8.8.8, x17' },
  { 'x-forwarded-for': '1.2.3.4.5' },
  { 'x-forwarded-for': '999.1.1.1' },
  { 'x-forwarded-for': '::ffff:1.2.3.4' },
  { 'x-forwarded-for': 'fe80::1%eth0' },
  { 'x-forwarded-for': '[::1]:8080' },
  { 'x-forwarded-for': '10.0.0.1:443' },
  { 'x-forwarded-for': '10.0.0.0/8' },
  { 'x-forwarded-for': 'unknown' },
  { 'x-forwarded-for': '_hidden' },
  { 'x-forwarded-for': "'; drop table session; --" },
  { 'x-forwarded-for': '%00' },
  { 'x-forwarded-for': 'x'.repeat(4000) },
  { 'x-forwarded-for': Array.from({ length: 300 }, () => '1.1.1.1').join(', ') },
  { forwarded: 'for="_x";proto=gopher', 'x-forwarded-host': '\u00ff\u00fe', 'x-real-ip': 'x' },
  { 'user-agent': '\u00e9\u00ff'.repeat(500), 'x-forwarded-for': '-1' },
  { 'x-request-id': 'x'.repeat(500), 'x-forwarded-for': '127.1' },
] as const satisfies Record<string, string>[]

const count = async (text: string, values: unknown[] = []) =>
  Number((await api.sql<{ n: string }>(`select count(*) as n from ${text}`, values))[0]?.n)
const guesses = async (userId: string, at = 'password') =>
  (await api.sql<{ count: number }>('select count from attempt where key = $1', [`${at}:${userId}`]))[0]?.count ?? 0
const auditLines = (userId: string) => count('audit_log where user_id = $1', [userId])
const isLocked = (id: string) => count('user_account where id = $1 and locked_until > now()', [id])

async function captcha() {
  const { data } = await api.call(undefined, login.captcha)
  const [row] = await api.sql<{ answer: string }>('select answer from captcha where id = $1', [data.captchaId])
  return { captchaId: data.captchaId, captchaCode: row?.answer ?? '' }
}
async function codeFor(phone: string, purpose: 'login' | 'reset') {
  await api.call(undefined, login.sendSmsCode, { body: { phone, purpose, ...(await captcha()) } })
  return sentCode(phone)
}
const sentCode = async (phone: string) =>
  (
    await api.sql<{ code: string }>(
      "select params ->> 'code' as code from sms_message where phone = $1 and params ? 'code' order by id desc limit 1",
      [phone],
    )
  )[0]?.code ?? ''
const notThe = (code: string) => (code === '111111' ? '222222' : '111111')

describe('headers sent by a client', () => {
  it('[attack.C1] make no public or partial route fail, whatever their value', async () => {
    const doors = allRoutes.filter(({ route }) => route.access === 'public' || route.access === 'partial')
    expect(doors.length).toBeGreaterThan(15)
    const failed: string[] = []
    for (const { feature, name, route } of doors)
      for (const [place, headers] of forwarded.entries()) {
        const path = route.path.replaceAll(/\{\w+\}/g, '1')
        const body = route.method === 'POST' ? { body: new URLSearchParams() } : {}
        const { status } = await fetch(`${api.url}${path}`, { method: route.method, headers, ...body })
        if (status >= 500) failed.push(`${feature}.${name} header ${place}: ${status}`)
      }
    expect(failed).toEqual([])
  })

  it('[attack.C1] hide a wrong password neither from the counter nor from the log', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'hidden_password' })
    for (const [place, headers] of forwarded.entries()) {
      const { status } = await api.call(undefined, login.byPassword, {
        body: { loginName: 'hidden_password', password: 'Wrong-pass-123', ...(await captcha()) },
        headers,
      })
      expect(status, `header ${place}`).toBe(401)
      expect(await guesses(person.id)).toBe(Math.min(5, place + 1))
      expect(await auditLines(person.id)).toBe(place + 1)
    }
    expect(await isLocked(person.id)).toBe(1)
  })

  it('[attack.C1] allow no further attempts at a password reset code, and a weak new password reveals nothing', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'hidden_reset' })
    const code = await codeFor(person.phone, 'reset')
    const reset = (guess: string, newPassword: string, headers: Record<string, string>) =>
      api.call(undefined, login.resetPassword, { body: { phone: person.phone, code: guess, newPassword }, headers })
    const weak = [await reset(notThe(code), 'weak', forwarded[0]), await reset(code, 'weak', forwarded[0])]
    expect(weak[0]).toMatchObject({ status: 422, message: weak[1]?.message })
    for (const headers of forwarded) expect((await reset(notThe(code), 'Fresh-volts-9', headers)).status).toBe(401)
    expect(await count('sms_code where phone = $1 and tries = 5', [person.phone])).toBe(1)
    expect((await reset(code, 'Fresh-volts-9', {})).status).toBe(401)
  })

  it('[attack.C1] do not determine the logged and limited address behind one proxy', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'chosen_address' })
    const from = async (text: string) => {
      await api.call(undefined, login.byPassword, {
        body: { loginName: 'chosen_address', password },
        headers: { 'x-forwarded-for': text },
      })
      const rows = await api.sql<{ ip: string }>(
        'select host(ip) as ip from audit_log where user_id = $1 order by seq desc limit 1',
        [person.id],
      )
      return rows[0]?.ip
    }
    expect(await from('8.8.8.8, 203.0.113.9')).toBe('203.0.113.9')
    expect(await from('8.8.8.8, x')).toBe('127.0.0.1')

    const strict = await startApi({ publicPerMinute: 3, trustProxy: proxiesOf('1') })
    const statuses = []
    for (let call = 0; call < 5; call++) {
      const headers = { 'x-forwarded-for': `10.0.0.${call}, 203.0.113.9` }
      statuses.push((await strict.call(undefined, login.captcha, { headers })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })
})

describe('the trusted proxies of an address', () => {
  it('are a count of proxies or their networks, and never every peer', () => {
    expect(proxiesOf('')).toBe(false)
    expect(proxiesOf('10.0.0.0/8, 192.0.2.1,fd00::/8')).toEqual(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])
    const two = proxiesOf('2')
    if (typeof two !== 'function') throw new Error('a number must become a function')
    expect([0, 1, 2].map((hop) => two('192.0.2.1', hop))).toEqual([true, true, false])
    for (const text of ['true', '0', '10', 'x', '0.0.0.0/0', '10.0.0.0/33', '10.0.0.0/8,', '::/0', '1.2.3/8'])
      expect(() => proxiesOf(text), text).toThrow('TRUST_PROXY')
  })

  it('yield an address that the database accepts, with IPv6 counted by its network', () => {
    const addressFrom = (ip: string, remoteAddress?: string) => addressOf({ ip, socket: { remoteAddress } as never })
    expect(addressFrom('x', '192.0.2.7')).toBe('192.0.2.7')
    expect(addressFrom('fe80::1%eth0')).toBe('fe80::1')
    expect(addressFrom('x')).toBe('0.0.0.0')
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:DB8:1:2::9'))
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'))
    expect(networkOf('::1')).toBe('0:0:0:0::/64')
  })
})

describe('guesses', () => {
  it('[attack.H5] at the second factor count for the account, across all its logins', async () => {
    const root = { organiseId: '1', loginName: 'factored', menus: '*' as const, topLevel: 1, code: 'ADMIN' }
    const person = await makePerson(api, root)
    const secret = base32(Buffer.alloc(20, 3))
    await api.sql('update user_account set totp_secret = $1 where id = $2', [api.deps.vault.seal(secret), person.id])
    const logIn = () => api.call(undefined, login.byPassword, { body: { loginName: 'factored', password } })
    const prove = (token: string, code: string) => api.call(token, login.secondFactor, { body: { code } })
    const step = totpStep(Date.now())
    const right = totpCode(secret, step)
    const wrong = ['000000', '000001', '000002'].find((code) =>
      [-2, -1, 0, 1, 2].every((by) => totpCode(secret, step + by) !== code),
    )
    const statuses: number[] = []
    for (let time = 0; time < 3; time++) {
      const { data } = await logIn()
      for (let guess = 0; guess < 2; guess++)
        if (data !== null) statuses.push((await prove(data.access_token, wrong ?? '')).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 401, 401])
    expect(await isLocked(person.id)).toBe(1)
    expect((await logIn()).message).toContain('账号已锁定')
    expect(await count("notification where user_id = $1 and body like '%二次验证%'", [person.id])).toBe(1)

    await api.sql('update user_account set locked_until = null where id = $1', [person.id])
    const { data } = await logIn()
    expect((await prove(data.access_token, right)).status).toBe(401)
    await api.sql('delete from attempt where key = $1', [`second-factor:${person.id}`])
    const again = await logIn()
    expect((await prove(again.data.access_token, right)).data.stage).toBe('full')
    expect(await guesses(person.id, 'second-factor')).toBe(0)
  })

  it('[attack.M3] at the password inside a session count like those at the login, and end the session', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'inside', menus: ['2'] })
    const change = () =>
      api.call(person.token, changePassword.change, {
        body: { oldPassword: 'Wrong-pass-123', newPassword: 'Amperes-and-9' },
      })
    const enrol = () => api.call(person.token, login.startEnrolment, { body: { password: 'Wrong-pass-123' } })
    const statuses = []
    for (const guess of [change, enrol, change, enrol, change]) statuses.push((await guess()).status)
    expect(statuses).toEqual([422, 422, 422, 422, 401])
    expect((await api.call(person.token, session.userInfo)).status).toBe(401)
    expect(await isLocked(person.id)).toBe(1)
    expect(await auditLines(person.id)).toBe(5)
  })

  it('in parallel are limited to five, also inside a session', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'inside_storm', menus: ['2'] })
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        api.call(person.token, changePassword.change, {
          body: { oldPassword: `Wrong-pass-${place}`, newPassword: 'Amperes-and-9' },
        }),
      ),
    )
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(4)
    expect(await guesses(person.id)).toBe(5)
  })

  it('with the right value reset the counter, also when the rest of the request is refused', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'right_guess', menus: ['2'] })
    for (let time = 0; time < 7; time++) {
      const body = { oldPassword: password, newPassword: password }
      expect((await api.call(person.token, changePassword.change, { body })).message).toContain('最近5次')
    }
    expect(await guesses(person.id)).toBe(0)
  })

  it('are reset when an administrator of the organisation unlocks the account, or its owner changes the password', async () => {
    const { id, token } = await makePerson(api, { organiseId: fixture.green.id, loginName: 'unlocked', menus: ['2'] })
    const lock = () =>
      api.sql(
        `insert into attempt (key, count, expires_at) values ('password:' || $1, 4, now() + interval '9 minutes'),
         ('second-factor:' || $1, 5, now() + interval '9 minutes') on conflict (key) do nothing`,
        [id],
      )
    await lock()
    expect((await api.call(fixture.green.admin.token, staff.unlock, { body: { id } })).status).toBe(200)
    expect([await guesses(id), await guesses(id, 'second-factor')]).toEqual([0, 0])
    await lock()
    const body = { oldPassword: password, newPassword: 'Amperes-and-9' }
    expect((await api.call(token, changePassword.change, { body })).status).toBe(200)
    expect(await guesses(id)).toBe(0)
  })

  it('[attack.L1] at an unknown name are reset at the same time as those at an account', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'forgetting' })
    const guess = async (loginName: string) => {
      const body = { loginName, password: 'Wrong-pass-123', ...(await captcha()) }
      return (await api.call(undefined, login.byPassword, { body })).message
    }
    const script = async (loginName: string) => {
      const messages = []
      for (const minutes of [0, 0, 20, 11, 0, 0, 0, 0, 0, 20, 11]) {
        await api.sql('update attempt set expires_at = expires_at - make_interval(mins => $1)', [minutes])
        await api.sql('update user_account set locked_until = locked_until - make_interval(mins => $2) where id = $1', [
          person.id,
          minutes,
        ])
        messages.push(await guess(loginName))
      }
      return messages
    }
    expect(await script('nobody_forgetting')).toEqual(await script('forgetting'))
  })
})

describe('a changed factor', () => {
  it('[attack.M8] invalidates codes of the old phone, ends other sessions, and notifies both phones', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'new_phone', menus: ['2'] })
    const other = await openSession(api, person.id)
    const old = await codeFor(person.phone, 'login')
    const phone = '13900008888'
    await api.call(person.token, bindPhone.sendCode, { body: { phone } })
    const body = { phone, password, code: await sentCode(phone) }
    expect((await api.call(person.token, bindPhone.bind, { body })).status).toBe(200)
    expect((await api.call(undefined, login.bySms, { body: { phone: person.phone, code: old } })).status).toBe(401)
    expect((await api.call(other, session.userInfo)).status).toBe(401)
    expect((await api.call(person.token, session.userInfo)).status).toBe(200)
    expect(await count("sms_message where template = 'SMS_FACTOR' and phone in ($1, $2)", [person.phone, phone])).toBe(
      2,
    )
  })

  it('[attack.M8] ends the sessions opened by password alone, when it is a newly bound second factor', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'new_factor', menus: ['2'] })
    const other = await openSession(api, person.id)
    const { data } = await api.call(person.token, login.startEnrolment, { body: { password } })
    const code = totpCode(data.secret, totpStep(Date.now()))
    const bound = await api.call(person.token, login.confirmEnrolment, { body: { code } })
    for (const token of [other, person.token]) expect((await api.call(token, session.userInfo)).status).toBe(401)
    expect((await api.call(bound.data.access_token, session.userInfo)).status).toBe(200)
    expect(await count("sms_message where template = 'SMS_FACTOR' and phone = $1", [person.phone])).toBe(1)
  })
})

describe('a session', () => {
  it('is extended by requests of a person, not by automatic refreshes of a page', async () => {
    const token = await openSession(api, fixture.green.clerk.id)
    const seenAgo = async () =>
      (
        await api.sql<{ minutes: number }>(
          'select round(extract(epoch from now() - last_seen_at) / 60)::int as minutes from session where token_hash = $1',
          [sha256(token)],
        )
      )[0]?.minutes
    const ask = async (headers: Record<string, string>) => {
      await api.deps.sessions.forget([sha256(token)])
      return (await api.call(token, session.userInfo, { headers })).status
    }
    await api.sql("update session set last_seen_at = now() - interval '20 minutes' where token_hash = $1", [
      sha256(token),
    ])
    expect(await ask({ 'x-unattended': '1' })).toBe(200)
    expect(await api.deps.sessions.find(token, false)).toBeDefined()
    expect(await seenAgo()).toBe(20)
    expect(await ask({})).toBe(200)
    expect(await seenAgo()).toBe(0)
  })

  it('[attack.L6] limits the lookups of invented tokens and program keys', async () => {
    const strict = await startApi({ publicPerMinute: 1 })
    const ask = async () => (await strict.call(crypto.randomUUID().repeat(2).slice(0, 43), session.userInfo)).status
    const statuses = []
    for (let call = 0; call < 13; call++) statuses.push(await ask())
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429])
  })

  it.each<[string, (strict: TestApi) => Promise<number>, number]>([
    ['calls too often', async (strict) => (await strict.call(undefined, login.captcha)).status, 429],
    [
      'notifies of a payment at no provider',
      async ({ url }) => (await fetch(`${url}/open/api/pay/notice/nobody/1`, { method: 'POST' })).status,
      422,
    ],
  ])('a caller who %s waits for the refusal, so that a flood sends less', async (_, ask, status) => {
    /** Counts the refusals of ten connections that call again after each reply, while another person works. */
    const flood = async (refusalWaitMs: number) => {
      const strict = await startApi({ publicPerMinute: 1, refusalWaitMs })
      const { token } = (await makeFixture(strict)).green.admin
      let [refused, working] = [0, true]
      const callers = Array.from({ length: 10 }, async () => {
        while (working) if ((await ask(strict)) === status) refused++
      })
      for (let call = 0; call < 100; call++) expect((await strict.call(token, session.userInfo)).status).toBe(200)
      working = false
      await Promise.all(callers)
      return refused
    }
    const [waiting, atOnce] = [await flood(500), await flood(0)]
    expect(waiting).toBeGreaterThan(0)
    expect(waiting).toBeLessThan(atOnce / 2)
  })

  it('a limited number of refusals wait, and further ones get no reply', async () => {
    const delay = new RefusalDelay(50, 2)
    expect(await Promise.all([delay.wait(), delay.wait(), delay.wait()])).toEqual([true, true, false])
    expect(await delay.wait()).toBe(true)
  })

  it('a limited number of notices a second are read from one address, and the excess does not use up the minute', () => {
    vi.useFakeTimers({ now: Date.parse('2026-05-04T00:00:00Z') })
    try {
      const limit = new AddressLimit(8, 3)
      const counted = () => {
        try {
          limit.count('192.0.2.1')
          return true
        } catch {
          return false
        }
      }
      const perSecond = Array.from({ length: 4 }, () => {
        const accepted = Array.from({ length: 6 }, counted).filter(Boolean).length
        vi.advanceTimersByTime(1000)
        return accepted
      })
      expect(perSecond).toEqual([3, 3, 2, 0])
      vi.advanceTimersByTime(60_000)
      expect(counted()).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
