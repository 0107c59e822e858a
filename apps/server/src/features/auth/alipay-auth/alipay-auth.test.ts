import { alipayAuth, alipayStep, type AlipayProgress } from '@wattdeck/contract/auth/alipay-auth.ts'
import { pino, symbols } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newSandboxKeys, startAlipaySandbox } from '../../../../../../tools/dev/alipay-sandbox.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { until } from '../../../../test/harness/until.ts'
import { AlipayOpen } from '../../../integrations/alipay-open.ts'
import { startWorker } from '../../../app/worker.ts'

/** The api, a worker and the emulator of Alipay's gateway together, as they run in production. */
let fixture: Fixture
let worker: Awaited<ReturnType<typeof startWorker>>
let inviter: Actor
const keys = newSandboxKeys()
const menus = ['1', '1.4', '1.4.1', '2', '2.1']
const lines: string[] = []
const { done, refused, unknown, open: opened } = alipayStep.code

const sandbox = await startAlipaySandbox(keys)
const alipay = {
  gateway: `${sandbox.url}/gateway.do`,
  authoriseUrl: `${sandbox.url}/oauth2/publicAppAuthorize.htm`,
  appId: keys.appId,
  privateKey: keys.appPrivateKey,
  publicKey: keys.publicKey,
  timeoutMs: 2000,
}
const api = await startApi({ alipay, consoleUrl: 'https://console.example.cn', logLevel: 'trace' })
// Captures every line that either process logs.
const sink = { write: (line: string) => void lines.push(line) }
beforeAll(async () => {
  Object.assign(api.app.log, { [symbols.streamSym]: sink })
  fixture = await makeFixture(api)
  inviter = await makePerson(api, { organiseId: fixture.green.id, loginName: 'green_inviter', menus })
  worker = await startWorker(api.config, pino({ level: 'trace' }, sink))
})
afterAll(async () => {
  await worker.stop()
  await sandbox.stop()
})
beforeEach(() => {
  sandbox.behave('ok')
  sandbox.calls.length = 0
})

const invite = async (organiseId = fixture.green.id, token = inviter.token) =>
  (await api.call(token, alipayAuth.invite, { body: { organiseId } })).data.invite
const openInvite = (token: string) => api.call(undefined, alipayAuth.open, { body: { invite: token } })
const stateOf = (address: string | null) => new URL(address ?? '').searchParams.get('state') ?? ''
const freshState = async () => stateOf((await openInvite(await invite())).data.address)
const submit = (state: string, code: string) => api.call(undefined, alipayAuth.submit, { body: { state, code } })
const retry = (state: string) => api.call(undefined, alipayAuth.retry, { body: { state } })
const authorised = async (organiseId = fixture.green.id) =>
  api.sql<{ account: string; sealed_user_id: string }>('select * from alipay_authorisation where organise_id = $1', [
    organiseId,
  ])

const settled = (state: string): Promise<AlipayProgress> =>
  until(async () => {
    const { data } = await api.call(undefined, alipayAuth.progress, { body: { state } })
    return data.step === done || data.step === refused || data.step === unknown ? data : undefined
  })
/** Completes a later authorisation, so that jobs enqueued before it have run. */
async function authoriseLater() {
  const state = await freshState()
  await submit(state, sandbox.issueCode())
  expect((await settled(state)).step).toBe(done)
}
const authorisationCalls = ['alipay.system.oauth.token', 'alipay.user.info.share']
beforeEach(() => api.sql('delete from alipay_authorisation'))

describe('a stranger', () => {
  it('neither invites for another organisation nor sees its authorisation', async () => {
    const body = { organiseId: fixture.swift.id }
    expect((await api.call(inviter.token, alipayAuth.invite, { body })).status).toBe(404)
    expect((await api.call(inviter.token, alipayAuth.current, { query: body })).status).toBe(404)
    expect(await api.sql('select 1 from alipay_invite where organise_id = $1', [fixture.swift.id])).toEqual([])
  })

  it('of an agent or a site cannot invite for the whole organisation', async () => {
    const { id: organiseId, agentId } = fixture.green
    const agent = await makePerson(api, { organiseId, agentId, loginName: 'green_agent_inviter', menus })
    expect((await api.call(agent.token, alipayAuth.invite, { body: { organiseId } })).status).toBe(403)
  })

  it('with a forged link, state or code is refused, and Alipay is not called', async () => {
    const forgedToken = 'x'.repeat(43)
    expect(await openInvite(forgedToken)).toMatchObject({ status: 404, message: '授权邀请不存在，请核对链接是否完整' })
    expect(await submit(forgedToken, sandbox.issueCode())).toMatchObject({
      status: 404,
      message: '授权请求不存在，请重新打开授权链接',
    })
    expect((await retry(forgedToken)).status).toBe(404)
    expect((await submit(await freshState(), 'a code')).status).toBe(422)
    expect(await authorised()).toEqual([])
    await authoriseLater()
    expect(sandbox.calls).toEqual(authorisationCalls)
  })
})

describe('an authorisation', () => {
  it('leads from the invitation to Alipay and back, is stored sealed and shown masked', async () => {
    const token = await invite()
    const { data } = await openInvite(token)
    expect(data).toMatchObject({ step: opened, organiseName: '机构green', authorisation: null })
    const address = new URL(data.address ?? '')
    expect(address.origin + address.pathname).toBe(`${sandbox.url}/oauth2/publicAppAuthorize.htm`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      app_id: keys.appId,
      scope: 'auth_user',
      redirect_uri: 'https://console.example.cn/alipaySuccess',
      state: stateOf(data.address),
    })
    // Follows the provider's page of consent, as a person does.
    const page = await (await fetch(address)).text()
    const back = new URL(/href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&#38;', '&') ?? '')
    const state = back.searchParams.get('state') ?? ''
    expect((await submit(state, back.searchParams.get('auth_code') ?? '')).status).toBe(200)
    const end = await settled(state)
    expect(end).toMatchObject({ step: done, authorisation: { account: '沙**（2088****4899）' }, address: null })
    expect(sandbox.calls).toEqual(authorisationCalls)

    const [row] = await authorised()
    expect(api.deps.vault.open(row?.sealed_user_id ?? '')).toBe('2088102175794899')
    const current = await api.call(inviter.token, alipayAuth.current, { query: { organiseId: fixture.green.id } })
    expect(current.data).toMatchObject({ invite: null, authorisation: { account: '沙**（2088****4899）' } })
    expect((await openInvite(token)).data).toMatchObject({ step: done, authorisation: end.authorisation })
  })

  it('is in the audit log of its organisation, from the invitation to the end', async () => {
    const state = await freshState()
    await submit(state, sandbox.issueCode())
    await settled(state)
    const log = await api.sql<{ content: string; user_name: string }>(
      "select content, user_name from audit_log where organise_id = $1 and module = '支付宝授权' order by id desc limit 3",
      [fixture.green.id],
    )
    expect(log.toReversed()).toEqual([
      { content: '生成支付宝授权邀请', user_name: '姓名green_inviter' },
      { content: '提交支付宝授权码', user_name: '支付宝用户' },
      { content: '支付宝授权成功：沙**（2088****4899）', user_name: '支付宝用户' },
    ])
  })

  it('does not depend on the nickname, and replaces the previous one', async () => {
    for (const [userId, nickName, account] of [
      ['2088102175794899', '', '2088****4899'],
      ['2088102175790001', '王五', '王**（2088****0001）'],
    ] as const) {
      const state = await freshState()
      await submit(state, sandbox.issueCode({ userId, nickName }))
      expect((await settled(state)).authorisation?.account).toBe(account)
    }
    expect(await authorised()).toHaveLength(1)
  })

  it('made by the platform belongs to the requested organisation', async () => {
    const token = await invite(fixture.swift.id, fixture.platform.root.token)
    const state = stateOf((await openInvite(token)).data.address)
    await submit(state, sandbox.issueCode())
    await settled(state)
    expect(await authorised(fixture.swift.id)).toHaveLength(1)
    expect(await authorised()).toEqual([])
  })
})

describe('a state and a code', () => {
  it('are valid once: another code with the state, and the code with another state, are refused', async () => {
    const state = await freshState()
    const code = sandbox.issueCode()
    await submit(state, code)
    await settled(state)
    expect((await submit(state, code)).data.step).toBe(done)
    expect(await submit(state, sandbox.issueCode())).toMatchObject({ status: 409 })
    expect(await submit(await freshState(), code)).toMatchObject({ status: 409, message: '授权码已使用，请重新授权' })
    expect(sandbox.calls.filter((method) => method.includes('token'))).toHaveLength(1)
  })

  it('submitted ten times concurrently authorise once', async () => {
    const state = await freshState()
    const code = sandbox.issueCode()
    const replies = await Promise.all(Array.from({ length: 10 }, () => submit(state, code)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect((await settled(state)).step).toBe(done)
    await authoriseLater()
    expect(sandbox.calls.filter((method) => method.includes('token'))).toHaveLength(2)
  })

  it('are the same for all visitors of the link until they are used', async () => {
    const token = await invite()
    const pages = await Promise.all(Array.from({ length: 5 }, () => openInvite(token)))
    expect(new Set(pages.map(({ data }) => data.address)).size).toBe(1)
  })

  it('that Alipay has already used are refused, and the page offers a new attempt', async () => {
    const state = await freshState()
    const code = sandbox.issueCode()
    sandbox.behave('refuse')
    await submit(state, code)
    const end = await settled(state)
    expect(end).toMatchObject({ step: refused, authorisation: null })
    expect(end.reason).toContain('支付宝未接受本次授权')
    expect(stateOf(end.address)).not.toBe(state)
    sandbox.behave('ok')
    expect((await retry(state)).status).toBe(409)
    await submit(stateOf(end.address), sandbox.issueCode())
    expect((await settled(stateOf(end.address))).step).toBe(done)
  })

  it('are limited in attempts per invitation', async () => {
    const token = await invite()
    sandbox.behave('refuse')
    let address: string | null = (await openInvite(token)).data.address
    let tries = 0
    for (; address !== null && tries < 20; tries++) {
      await submit(stateOf(address), sandbox.issueCode())
      address = (await settled(stateOf(address))).address
    }
    expect(tries).toBe(10)
  })
})

describe('an invitation', () => {
  it('that has expired neither opens nor accepts a code', async () => {
    const token = await invite()
    const state = stateOf((await openInvite(token)).data.address)
    await api.sql("update alipay_invite set expires_at = now() - interval '1 second' where used_at is null")
    const message = '授权邀请已过期，请联系邀请人重新生成'
    expect(await openInvite(token)).toMatchObject({ status: 409, message })
    expect(await submit(state, sandbox.issueCode())).toMatchObject({ status: 409, message })
  })

  it('is valid for 24 hours', async () => {
    await invite()
    const [row] = await api.sql<{ hours: number }>(
      'select extract(epoch from expires_at - created_at)::int / 3600 as hours from alipay_invite order by id desc limit 1',
    )
    expect(row?.hours).toBe(24)
  })

  it('is revoked by a newer one, even while a worker calls Alipay', async () => {
    const token = await invite()
    const state = stateOf((await openInvite(token)).data.address)
    sandbox.behave('silent')
    await submit(state, sandbox.issueCode())
    expect((await settled(state)).step).toBe(unknown)
    await invite()
    sandbox.behave('ok')
    const message = '授权邀请已失效，请使用最新的邀请链接'
    expect(await openInvite(token)).toMatchObject({ status: 409, message })
    expect(await retry(state)).toMatchObject({ status: 409, message })
    // Simulates a retry just before the newer invitation.
    const [attempt] = await api.sql<{ id: string }>(
      'update alipay_attempt set status = 2 where status = 6 returning id',
    )
    await api.deps.boss.send('alipay.exchange', { attemptId: attempt?.id ?? '' })
    expect(await settled(state)).toMatchObject({ step: refused, reason: message })
    expect(await authorised()).toEqual([])
  })

  it('of a disabled organisation is invalid, and none can be created', async () => {
    const token = await invite(fixture.swift.id, fixture.platform.root.token)
    await api.sql('update organise set status = 0 where id = $1', [fixture.swift.id])
    expect((await openInvite(token)).status).toBe(409)
    const body = { organiseId: fixture.swift.id }
    expect(await api.call(fixture.platform.root.token, alipayAuth.invite, { body })).toMatchObject({
      status: 409,
      message: '机构已停用',
    })
    await api.sql('update organise set status = 1 where id = $1', [fixture.swift.id])
  })

  it('requested twice with one idempotency key is created once', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    const ask = () =>
      api.call(inviter.token, alipayAuth.invite, { body: { organiseId: fixture.green.id }, headers: key })
    expect((await ask()).data).toEqual((await ask()).data)
  })

  it('cannot be created without a configured application', async () => {
    const bare = await startApi()
    const { platform } = await makeFixture(bare)
    expect(await bare.call(platform.root.token, alipayAuth.invite, { body: { organiseId: '1' } })).toMatchObject({
      status: 409,
      message: '尚未配置支付宝应用，请联系平台管理员',
    })
  })
})

describe('a faulty reply of Alipay', () => {
  it.each(['silent', 'busy', 'tamper', 'forgedRefusal'] as const)(
    '(%s) authorises no account and is recorded as unknown; a retry succeeds',
    async (how) => {
      const state = await freshState()
      const code = sandbox.issueCode()
      sandbox.behave(how)
      await submit(state, code)
      const end = await settled(state)
      expect(end).toMatchObject({ step: unknown, authorisation: null })
      expect(await authorised()).toEqual([])
      sandbox.behave('ok')
      expect((await retry(state)).status).toBe(200)
      const again = await settled(state)
      // Alipay had consumed the code before its reply was altered.
      expect(again.step).toBe(how === 'tamper' || how === 'forgedRefusal' ? refused : done)
      if (again.step === refused) {
        await submit(stateOf(again.address), sandbox.issueCode())
        expect((await settled(stateOf(again.address))).step).toBe(done)
      }
    },
  )

  it('allows a retry only when the result is unknown or the reply is late', async () => {
    const state = await freshState()
    expect((await retry(state)).status).toBe(409)
    await submit(state, sandbox.issueCode())
    expect((await settled(state)).step).toBe(done)
    expect(await retry(state)).toMatchObject({ status: 409, message: '当前无需重新确认' })
    const stuck = await freshState()
    await api.sql(
      `update alipay_attempt set status = 3, code_hash = '\\x01', sealed_code = $1, submitted_at = now() - interval '1 minute', called_at = now() - interval '1 minute'
       where status = 1 and id = (select max(id) from alipay_attempt)`,
      [api.deps.vault.seal(sandbox.issueCode())],
    )
    expect((await api.call(undefined, alipayAuth.progress, { body: { state: stuck } })).data.late).toBe(true)
    expect((await retry(stuck)).status).toBe(200)
    expect((await settled(stuck)).step).toBe(done)
  })
})

describe('the client', () => {
  const setting = () => ({ ...api.config.alipay })

  it('does not start without the key that verifies replies', () => {
    expect(() => new AlipayOpen({ ...setting(), publicKey: '' })).toThrow(/asymmetric key|asn1/)
    expect(() => new AlipayOpen({ ...setting(), privateKey: 'AAAA' })).toThrow(/asymmetric key|asn1/)
  })

  it('signs requests: Alipay refuses another key', async () => {
    const other = new AlipayOpen({ ...setting(), privateKey: newSandboxKeys().appPrivateKey })
    expect(await other.exchange(sandbox.issueCode())).toEqual({ result: 'refused', code: 'isv.invalid-signature' })
  })

  it('verifies replies: one signed by another key is rejected', async () => {
    const other = new AlipayOpen({ ...setting(), publicKey: newSandboxKeys().publicKey })
    expect(await other.exchange(sandbox.issueCode())).toEqual({ result: 'unknown' })
    sandbox.behave('refuse')
    expect(await other.exchange(sandbox.issueCode())).toEqual({ result: 'unknown' })
  })

  it('times out without a reply, and treats a dropped connection as no reply', async () => {
    sandbox.behave('silent')
    expect(await new AlipayOpen({ ...setting(), timeoutMs: 400 }).exchange('x'.repeat(32))).toEqual({
      result: 'unknown',
    })
    sandbox.behave('loseAnswer')
    expect(await new AlipayOpen(setting()).exchange('x'.repeat(32))).toEqual({ result: 'unknown' })
  })
})

describe('secrets', () => {
  it('appear in no log, and in tables only as hashes or sealed', async () => {
    const token = await invite()
    const state = stateOf((await openInvite(token)).data.address)
    const code = sandbox.issueCode({ userId: '2088999911118888', nickName: '金丝雀' })
    sandbox.behave('tamper')
    await submit(state, code)
    await settled(state)
    sandbox.behave('ok')
    await retry(state)
    await settled(state)
    const second = stateOf((await openInvite(token)).data.address)
    await submit(second, sandbox.issueCode({ userId: '2088999911118888', nickName: '金丝雀' }))
    expect((await settled(second)).step).toBe(done)
    const tables = await api.sql<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')",
    )
    const rows = await Promise.all(
      tables.map(({ name }) => api.sql<{ row: string }>(`select t::text as row from ${name} t`)),
    )
    const texts = [...lines, ...rows.flat().map(({ row }) => row)]
    expect(lines.length).toBeGreaterThan(20)
    for (const secret of [token, state, second, code, '2088999911118888', '金丝雀', 'authbse', keys.appPrivateKey])
      expect(texts.filter((text) => text.includes(secret)).map((text) => text.slice(0, 200))).toEqual([])
  })
})
