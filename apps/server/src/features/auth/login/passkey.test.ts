import { generateKeyPairSync } from 'node:crypto'
import { ownFactor } from '@wattdeck/contract/personal/own-factor.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Authenticator, makeAuthenticator } from '../../../../test/harness/authenticator.ts'
import { type Actor, makePerson, makeFixture, openSession, password } from '../../../../test/harness/people.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'

const origin = 'https://console.example.cn'
const api = await startApi({ consoleUrl: origin })
const fixture = await makeFixture(api)

let serial = 0
let person: Actor
let key: Authenticator
let token: string
beforeEach(async () => {
  person = await makePerson(api, { organiseId: fixture.green.id, loginName: `keyed_${++serial}`, menus: ['1.1.3'] })
  key = makeAuthenticator(origin)
  const bound = await bind(person.token, key)
  token = bound.data.access_token
  await forgetCooling()
})

/** Ends the cooling period: for an hour an account with new credentials cannot approve. */
const forgetCooling = () => api.sql('delete from credential_change')
const stale = (of: string) =>
  api.sql("update session set factor_at = now() - interval '11 minutes' where token_hash = $1", [sha256(of)])

async function bind(of: string, authenticator: Authenticator, faults = {}) {
  const started = await api.call(of, login.startPasskey, { body: { password } })
  return api.call(of, login.confirmPasskey, {
    body: { name: '办公电脑', answer: authenticator.register(started.data.options, faults) },
  })
}
const logIn = async () =>
  (await api.call(undefined, login.byPassword, { body: { loginName: person.loginName, password } })).data
const optionsFor = async (of: string) => (await api.call(of, login.passkeyChallenge)).data.options
const proveWith = (of: string, answer: string) => api.call(of, login.secondFactorByPasskey, { body: { answer } })

describe('a passkey', () => {
  it('is required at the next login and opens it; the password alone does not', async () => {
    const first = await logIn()
    expect(first.stage).toBe('secondFactor')
    expect((await api.call(first.access_token, session.userInfo)).status).toBe(401)
    expect((await api.call(first.access_token, login.factors)).data).toMatchObject({ passkey: true, totp: false })
    const proven = await proveWith(first.access_token, key.prove(await optionsFor(first.access_token)))
    expect(proven.data.stage).toBe('full')
    expect((await api.call(proven.data.access_token, session.userInfo)).status).toBe(200)
    const [row] = await api.sql('select factor, opened_by from session where token_hash = $1', [
      sha256(proven.data.access_token),
    ])
    expect(row).toEqual({ factor: 'passkey', opened_by: 'password' })
  })

  it('names the configured address, whatever the Host header says', async () => {
    const { access_token } = await logIn()
    const reply = await fetch(`${api.url}${login.passkeyChallenge.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access_token}`,
        'x-forwarded-host': 'evil.example',
        origin: 'https://evil.example',
      },
    })
    const { data } = (await reply.json()) as { data: { options: string } }
    expect(JSON.parse(data.options)).toMatchObject({ rpId: 'console.example.cn' })
  })

  it.each([
    ['another origin', { origin: 'https://console.example.cn.evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['the answer of a registration', { type: 'webauthn.create' }],
  ])('is refused for %s', async (_, faults) => {
    const { access_token } = await logIn()
    const refused = await proveWith(access_token, key.prove(await optionsFor(access_token), faults))
    expect(refused).toMatchObject({ status: 422, message: '通行密钥验证错误' })
    expect((await proveWith(access_token, key.prove(await optionsFor(access_token)))).status).toBe(200)
  })

  it('is not proven by a reused answer or a reused challenge', async () => {
    const { access_token } = await logIn()
    const options = await optionsFor(access_token)
    const answer = key.prove(options)
    expect((await proveWith(access_token, answer)).status).toBe(200)
    const again = await logIn()
    expect((await proveWith(again.access_token, answer)).status).toBe(422)
    const fresh = await optionsFor(again.access_token)
    expect((await proveWith(again.access_token, key.prove(fresh, { origin: 'https://evil.example' }))).status).toBe(422)
    expect((await proveWith(again.access_token, key.prove(fresh))).status).toBe(422)
  })

  it('is not proven by a challenge of another session, nor by one older than five minutes', async () => {
    const [one, two] = [await logIn(), await logIn()]
    const options = await optionsFor(one.access_token)
    await optionsFor(two.access_token)
    expect((await proveWith(two.access_token, key.prove(options))).status).toBe(422)
    await api.sql("update passkey_challenge set expires_at = now() - interval '1 second'")
    expect((await proveWith(one.access_token, key.prove(options))).status).toBe(422)
  })

  it('with a decreased counter is refused as a copy', async () => {
    const { access_token } = await logIn()
    key.rewind(0)
    expect((await proveWith(access_token, key.prove(await optionsFor(access_token)))).status).toBe(422)
  })

  it('of another person opens no session', async () => {
    const { access_token } = await logIn()
    const stranger = makeAuthenticator(origin)
    const other = await makePerson(api, { organiseId: fixture.green.id, loginName: `other_${serial}` })
    expect((await bind(other.token, stranger)).status).toBe(200)
    expect((await proveWith(access_token, stranger.prove(await optionsFor(access_token)))).status).toBe(422)
  })

  it('is limited like any second factor: five wrong answers lock the account', async () => {
    const { access_token } = await logIn()
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess++)
      statuses.push((await proveWith(access_token, key.prove(await optionsFor(access_token), { rpId: 'x.cn' }))).status)
    expect(statuses).toEqual([422, 422, 422, 422, 401])
    expect(
      (await api.call(undefined, login.byPassword, { body: { loginName: person.loginName, password } })).status,
    ).toBe(401)
  })

  it('confirms sensitive actions', async () => {
    await stale(token)
    const reset = () => api.call(token, staff.resetPassword, { body: { id: '987654321' } })
    expect((await reset()).status).toBe(428)
    const answer = key.prove(await optionsFor(token))
    expect((await api.call(token, login.stepUpByPasskey, { body: { answer } })).status).toBe(200)
    expect((await reset()).status).toBe(404)
  })

  it('is bound with the password and a fresh proof of the existing factor', async () => {
    const second = makeAuthenticator(origin)
    await stale(token)
    expect((await api.call(token, login.startPasskey, { body: { password } })).status).toBe(428)
    await api.sql('update session set factor_at = now() where token_hash = $1', [sha256(token)])
    expect((await api.call(token, login.startPasskey, { body: { password: 'Not-mine-at-1' } })).status).toBe(422)
    const bound = await bind(token, second)
    expect(bound.data).toMatchObject({ stage: 'full', recoveryCodes: [] })
    expect(
      (await bind(bound.data.access_token, makeAuthenticator(origin), { origin: 'https://evil.example' })).status,
    ).toBe(422)
    const { data } = await api.call(bound.data.access_token, ownFactor.read)
    expect(data.passkeys.map(({ name }) => name)).toEqual(['办公电脑', '办公电脑'])
  })

  it('is removed by its owner with a fresh proof, and never as the last factor', async () => {
    const bound = await bind(token, makeAuthenticator(origin))
    const own = bound.data.access_token
    const { data } = await api.call(own, ownFactor.read)
    const [one, two] = data.passkeys.map(({ id }) => id)
    const remove = (of: string, id: string) => api.call(of, ownFactor.removePasskey, { body: { id } })
    expect((await remove(fixture.green.admin.token, one ?? '')).status).toBe(404)
    await stale(own)
    expect((await remove(own, one ?? '')).status).toBe(428)
    await api.sql('update session set factor_at = now() where token_hash = $1', [sha256(own)])
    expect((await remove(own, one ?? '')).status).toBe(200)
    expect((await remove(own, two ?? '')).status).toBe(409)
    expect((await api.call(own, ownFactor.read)).data.passkeys).toHaveLength(1)
  })

  it('cannot be bound where the installation is reached by an IP address', async () => {
    const plain = await startApi({ consoleUrl: 'http://127.0.0.1:5173' })
    const own = await makeFixture(plain)
    const of = await openSession(plain, own.green.clerk.id)
    expect((await plain.call(of, login.startPasskey, { body: { password } })).status).toBe(409)
    expect((await plain.call(of, ownFactor.read)).data.passkeyOffered).toBe(false)
  })
})
