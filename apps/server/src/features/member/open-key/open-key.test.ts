import { login } from '@wattdeck/contract/auth/login.ts'
import { chargingMini } from '@wattdeck/contract/member/charging-mini.ts'
import { openKey, mostLiveKeys } from '@wattdeck/contract/member/open-key.ts'
import { openCharging } from '@wattdeck/contract/open/open-charging.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { OpenClient } from '@wattdeck/open-client/open-client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newAppId, plantKey } from '../../../../test/fixtures/open-keys.ts'
import * as payments from '../../../../test/fixtures/payments.ts'
import type { TestApi } from '../../../../test/harness/api.ts'
import { type Actor, type Fixture, makeFixture, makePerson, openSession } from '../../../../test/harness/people.ts'
import { buildApi } from '../../../app/api.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'
import { signatureOf } from '../../../kit/crypto/signature.ts'

let there: payments.PayContext
let api: TestApi
let fixture: Fixture
let secondUrl: string
let stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  there = await payments.startPayFixture()
  ;({ api } = there)
  fixture = await makeFixture(api)
  // A second process of the api: a key must end there, too.
  const copy = await buildApi(api.config)
  secondUrl = await copy.app.listen({ port: 0, host: '127.0.0.1' })
  const worker = await there.startWorker()
  stops = [() => copy.app.close(), () => worker.stop()]
})
afterAll(() => Promise.all(stops.map((stop) => stop())))

type Key = { id: string; appKey: string; secret: string }
const add = (by: Actor, wish: object = {}, headers: Record<string, string> = {}) =>
  api.call(by.token, openKey.add, {
    body: { organiseId: by.organiseId, name: '小程序服务器', ...wish } as never,
    headers,
  })
async function made(by: Actor, wish: object = {}): Promise<Key> {
  const reply = await add(by, wish)
  expect(reply.message).toBe('操作成功')
  return reply.data
}
const rotate = (by: Actor, id: string, grace: '0' | '24' | '168', keeps?: '1' | '2') =>
  api.call(by.token, openKey.rotate, { body: { id, grace, ...(keeps && { keeps }) } as never })
const change = (by: Actor, name: 'enable' | 'disable' | 'endOld', id: string) =>
  api.call(by.token, openKey[name], { body: { id } })
const rowsFor = async (by: Actor, query: object = {}) =>
  (await api.call(by.token, openKey.list, { query: query as never })).data.rows
const rowOf = async (by: Actor, { appKey }: Key) => (await rowsFor(by, { keyword: appKey }))[0]

const signed = ({ appKey, secret }: Key, timestamp = String(Date.now())) => {
  const parts = { method: 'GET', url: '/open/api/member/1', timestamp, idempotencyKey: '', body: '' }
  return { 'x-app-key': appKey, 'x-timestamp': timestamp, 'x-signature': signatureOf(secret, parts) }
}
/** 404 for an accepted signature, because the member does not exist; 401 for a refused one. */
const statusFor = async (headers: Record<string, string>, url = api.url) =>
  (await fetch(`${url}/open/api/member/1`, { headers })).status
const accepts = async (key: Key) => (await statusFor(signed(key))) === 404

describe('a stranger', () => {
  it('[attack.K2] neither sees nor rotates, edits, enables or disables a key of another organisation', async () => {
    const key = await made(fixture.green.admin)
    const stranger = fixture.swift.admin
    expect(await rowsFor(stranger, { keyword: key.appKey })).toEqual([])
    expect(await rowsFor(stranger, { organiseId: fixture.green.id })).toEqual([])
    const replies = [
      await rotate(stranger, key.id, '0'),
      await change(stranger, 'enable', key.id),
      await change(stranger, 'disable', key.id),
      await change(stranger, 'endOld', key.id),
      await api.call(stranger.token, openKey.edit, { body: { id: key.id, name: 'x' } as never }),
      await add(stranger, { organiseId: fixture.green.id }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await accepts(key)).toBe(true)
  })

  it('includes staff of agents and sites of the organisation, whatever their role grants', async () => {
    const { id } = await made(fixture.green.admin)
    for (const actor of [fixture.green.agent, fixture.green.subAgent, fixture.green.site]) {
      const replies = [
        await api.call(actor.token, openKey.list),
        await add(actor),
        await rotate(actor, id, '0'),
        await change(actor, 'disable', id),
      ]
      expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    }
  })
})

describe('a new organisation', () => {
  it('registers its app and key in the console, and its server then registers a member who recharges', async () => {
    const [row] = await api.sql<{ id: string }>("insert into organise (name) values ('新机构') returning id")
    const organiseId = row?.id ?? ''
    const admin = await makePerson(api, { organiseId, loginName: 'fresh_admin', menus: ['6', '6.8'] })
    await payments.makeTrader(there, organiseId)
    const appId = newAppId()
    const registered = await api.call(admin.token, chargingMini.add, {
      body: { organiseId, channel: '2', appId, name: '新机构充电' } as never,
    })
    expect(registered.status).toBe(200)
    const key = await made(admin)
    const client = new OpenClient({ url: api.url, ...key })

    const body = { appId, openId: 'o1', nickname: '王' } as never
    const { memberId } = await client.call(openCharging.saveMember, { body })
    const rechargeNo = await payments.requestRecharge(client, memberId, '10.00')
    there.sandbox.pay({ codeUrl: await payments.codeOf(client, rechargeNo) })
    await payments.rechargeIn(client, rechargeNo, 'ALREADY_PAY_STATUS')
    expect(await client.call(openCharging.member, { params: { memberId } })).toMatchObject({ balance: '10.00' })
    expect(await payments.ledgerBreaks(api)).toEqual([])

    const next = { ...key, secret: (await rotate(admin, key.id, '24')).data.secret }
    expect([await accepts(key), await accepts(next)]).toEqual([true, true])
    expect(await rowOf(admin, key)).toMatchObject({ oldUntil: expect.any(String) as string })
    await api.sql('update open_app set old_until = now() where id = $1', [key.id])
    expect([await accepts(key), await accepts(next)]).toEqual([false, true])
    expect(await rowOf(admin, key)).toMatchObject({ oldUntil: null })

    expect(await rowOf(fixture.swift.admin, key)).toBeUndefined()
    expect((await rotate(fixture.swift.admin, key.id, '0')).status).toBe(404)
    expect(await accepts(next)).toBe(true)
  })
})

describe('a secret', () => {
  it('[attack.K1] is shown once: no list, log, stored reply or repeated request contains it', async () => {
    const { admin } = fixture.green
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = (await add(admin, {}, headers)).data
    const again = (await add(admin, {}, headers)).data
    const rotated = (await rotate(admin, first.id, '24')).data
    const secrets = [first.secret, again.secret, rotated.secret]
    expect(new Set(secrets).size).toBe(3)
    for (const secret of secrets) expect(secret).toMatch(/^[\da-f]{64}$/)
    expect(again.id).not.toBe(first.id)
    const listed = JSON.stringify(await rowsFor(admin))
    const stored = await api.sql<{ text: string }>(
      `select l::text as text from audit_log l union all select o::text from outbox o
       union all select a::text from open_app a union all select k::text from idempotency_key k`,
    )
    expect(await api.sql('select from idempotency_key where key = $1', [headers['idempotency-key']])).toEqual([])
    const texts = [listed, ...stored.map(({ text }) => text)].join('\n')
    expect(secrets.filter((secret) => texts.includes(secret))).toEqual([])
    expect(listed).not.toContain('ealed')
    const sealed = await api.sql<{ sealed: string }>('select secret_sealed as sealed from open_app where id = $1', [
      first.id,
    ])
    const logged = stored
      .filter(({ text }) => text.includes('/seeker/api/openKey/'))
      .map(({ text }) => text)
      .join('\n')
    expect(logged).toContain('secret_sealed')
    expect(logged).not.toContain(sealed[0]?.sealed)
  })

  it('[attack.K3] that was revoked signs no request, and a recorded request with it is refused', async () => {
    const { admin } = fixture.green
    const key = await made(admin)
    const recorded = signed(key)
    expect(await statusFor(recorded)).toBe(404)
    await rotate(admin, key.id, '24')
    expect(await statusFor(recorded)).toBe(404)
    expect((await change(admin, 'endOld', key.id)).status).toBe(200)
    expect(await statusFor(recorded)).toBe(401)
    expect(await accepts(key)).toBe(false)
    expect(await change(admin, 'endOld', key.id)).toMatchObject({ status: 409, message: '旧密钥已失效' })
  })

  it('is replaced at once when no time is left to the old one', async () => {
    const key = await made(fixture.green.admin)
    const next = { ...key, secret: (await rotate(fixture.green.admin, key.id, '0')).data.secret }
    expect([await accepts(key), await accepts(next)]).toEqual([false, true])
  })

  it('in use survives a second rotation after a lost reply, by an explicit choice', async () => {
    const { admin } = fixture.green
    const inUse = await made(admin)
    const lost = { ...inUse, secret: (await rotate(admin, inUse.id, '24')).data.secret }
    expect(await rotate(admin, inUse.id, '168')).toMatchObject({ status: 409 })
    const next = { ...inUse, secret: (await rotate(admin, inUse.id, '168', '2')).data.secret }
    expect([await accepts(inUse), await accepts(lost), await accepts(next)]).toEqual([true, false, true])
    const last = { ...inUse, secret: (await rotate(admin, inUse.id, '24', '1')).data.secret }
    expect([await accepts(inUse), await accepts(next), await accepts(last)]).toEqual([false, true, true])
    await change(admin, 'endOld', inUse.id)
    expect(await rotate(admin, inUse.id, '24', '2')).toMatchObject({
      status: 409,
      message: '旧密钥已失效，请刷新后重试',
    })
  })
})

describe('a key', () => {
  it('[attack.K4] is accepted from its networks only, at once after they change', async () => {
    const { admin } = fixture.green
    const key = await made(admin, { networks: '198.51.100.0/24\n2001:db8::/32' })
    expect(await accepts(key)).toBe(false)
    const edit = (networks?: string) =>
      api.call(admin.token, openKey.edit, {
        body: { id: key.id, name: '合作方', ...(networks && { networks }) } as never,
      })
    expect((await edit('198.51.100.0/24，127.0.0.1')).status).toBe(200)
    expect(await accepts(key)).toBe(true)
    expect(await rowOf(admin, key)).toMatchObject({ name: '合作方', networks: ['198.51.100.0/24', '127.0.0.1/32'] })
    await edit('198.51.100.0/24')
    expect(await accepts(key)).toBe(false)
    await edit()
    expect(await accepts(key)).toBe(true)
    for (const wrong of [
      '203.0.113.5/24',
      '0.0.0.0/0',
      'example.cn',
      Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`).join('\n'),
    ])
      expect((await edit(wrong)).status).toBe(422)
  })

  it('that is disabled is refused at once by every process of the api, and accepted again once enabled', async () => {
    const { admin } = fixture.green
    const key = await made(admin)
    const statuses = () => Promise.all([statusFor(signed(key)), statusFor(signed(key), secondUrl)])
    expect(await statuses()).toEqual([404, 404])
    expect((await change(admin, 'disable', key.id)).status).toBe(200)
    expect(await statuses()).toEqual([401, 401])
    expect((await change(admin, 'disable', key.id)).status).toBe(409)
    expect((await change(admin, 'enable', key.id)).status).toBe(200)
    expect(await statuses()).toEqual([404, 404])
  })

  it('[attack.K5] is created, rotated, edited and enabled only by its own hands and with a fresh second factor; anyone may stop it', async () => {
    const { admin } = fixture.green
    const key = await made(admin)
    const stale: Actor = { ...admin, token: await openSession(api, admin.id) }
    await api.sql("update session set factor_at = now() - interval '11 minutes' where token_hash = $1", [
      sha256(stale.token),
    ])
    const { data } = await api.call(fixture.platform.root.token, staff.quickLogin, { body: { id: admin.id } })
    const ticket = await api.call(undefined, login.byTicket, { body: { ticket: data.ticket } })
    const borrowed: Actor = { ...admin, token: ticket.data.access_token }
    await api.sql('update session set factor_at = now() where token_hash = $1', [sha256(borrowed.token)])
    for (const [actor, status] of [
      [stale, 428],
      [borrowed, 403],
    ] as const) {
      const edited = await api.call(actor.token, openKey.edit, { body: { id: key.id, name: 'x' } as never })
      const replies = [
        await add(actor),
        await rotate(actor, key.id, '0'),
        await change(actor, 'enable', key.id),
        edited,
      ]
      expect(replies.map((reply) => reply.status)).toEqual([status, status, status, status])
    }
    expect(await accepts(key)).toBe(true)
    expect((await change(stale, 'disable', key.id)).status).toBe(200)
    expect(await accepts(key)).toBe(false)
  })

  it('is limited in number for each organisation, also under concurrent requests', async () => {
    const { admin, id } = fixture.swift
    const disabled = await plantKey(api, id, '停用', 0)
    for (let keys = 1; keys < mostLiveKeys; keys++) await plantKey(api, id, `密钥${keys}`)
    const replies = await Promise.all([add(admin), add(admin), add(admin)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
    expect((await change(admin, 'enable', disabled)).status).toBe(409)
  })
})
