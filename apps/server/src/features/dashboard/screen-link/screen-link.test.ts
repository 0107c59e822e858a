import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { bigScreen } from '@wattdeck/contract/dashboard/big-screen.ts'
import { claimsOf, screenLink, screenLinkMost } from '@wattdeck/contract/dashboard/screen-link.ts'
import { type AnyRoute, type BodyOf, fillPath } from '@wattdeck/contract/kit/route.ts'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiUrl } from '../../../../../../tools/ops/database.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { callerOf } from '../../../../test/harness/client.ts'
import { makeModels } from '../../../../test/fixtures/devices.ts'
import { makePerson, makeFixture } from '../../../../test/harness/people.ts'
import { nameOf } from '../../../../test/every/route-fixture.ts'
import { sampleInput } from '../../../../test/every/samples.ts'
import { makeCharges } from '../../../../test/fixtures/statistics.ts'
import { until } from '../../../../test/harness/until.ts'
import { buildApi } from '../../../app/api.ts'
import { ScreenSigner } from '../../../kit/crypto/screen-signer.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'

/** A second instance of the api: an ended link must end there, too. */
const api = await startApi()
const fixture = await makeFixture(api)
await makeCharges(api, fixture, await makeModels(api))
const copy = await buildApi(api.config)
const secondUrl = await copy.app.listen({ port: 0, host: '127.0.0.1' })
const second = callerOf(secondUrl)
const closeSecond = () => copy.app.close()
afterAll(() => closeSecond())
afterEach(() => {
  vi.useRealTimers()
})

type Body = BodyOf<typeof screenLink.add>
const make = async (fields: Partial<Record<keyof Body, string>> = {}, token = fixture.green.admin.token) => {
  const reply = await api.call(token, screenLink.add, { body: { name: '大厅', days: '30', ...fields } as never })
  expect(reply.message).toBe('操作成功')
  return reply.data
}
const headers = (token: string) => ({ authorization: `Screen ${token}` })
const asScreen = <R extends AnyRoute>(token: string, route: R, body: object = {}) =>
  api.call(undefined, route, { body: body as never, headers: headers(token) })
const statusFor = async (token: string) => (await asScreen(token, bigScreen.deviceBaseInfo)).status

/** Opens the event stream of a link. */
async function follow(url: string, token: string) {
  const response = await fetch(`${url}${fillPath(bigScreen.heartbeat.path, { id: fixture.green.id })}`, {
    headers: headers(token),
  })
  const stream = { status: response.status, text: '', ended: false }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  void (async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      stream.text += value
    }
    stream.ended = true
  })()
  return stream
}

describe('a stranger', () => {
  it('neither sees nor ends a link of another organisation', async () => {
    const { id } = await make({ name: '本机构大厅' })
    const { token } = fixture.swift.admin
    expect((await api.call(token, screenLink.list)).data.rows).toEqual([])
    expect((await api.call(token, screenLink.revoke, { body: { id } })).status).toBe(404)
  })

  it('cannot create a link for another organisation, nor from a scope below their own organisation', async () => {
    const body = { name: 'x', days: '1' } as never
    for (const { token } of [fixture.green.agent, fixture.green.subAgent, fixture.green.site])
      expect((await api.call(token, screenLink.add, { body })).status).toBe(403)
    const foreign = { name: 'x', days: '1', organiseId: fixture.swift.id } as never
    expect((await api.call(fixture.green.admin.token, screenLink.add, { body: foreign })).status).toBe(404)
    expect((await api.call(fixture.platform.admin.token, screenLink.add, { body: foreign })).status).toBe(200)
  })
})

describe('a link', () => {
  it('shows the figures of its organisation and nothing of another, whatever the request contains', async () => {
    const { token } = await make()
    const own = await asScreen(token, bigScreen.deviceBaseInfo)
    expect(own).toMatchObject({ status: 200, data: { allDeviceCount: 4 } })
    const mine = await api.call(fixture.green.admin.token, bigScreen.orderTransaction, { body: {} })
    const shown = await asScreen(token, bigScreen.orderTransaction)
    expect(shown.data).toEqual(mine.data)
    const all = await api.call(fixture.platform.admin.token, bigScreen.orderTransaction, { body: {} })
    expect(all.data.total.orderCount).toBeGreaterThan(shown.data.total.orderCount)
    for (const [name, route] of Object.entries(bigScreen as Record<string, AnyRoute>)) {
      if (route.method !== 'POST') continue
      const foreign = await asScreen(token, route, { organiseId: fixture.swift.id })
      expect(foreign.status, name).toBe(200)
      expect(JSON.stringify(foreign.data), name).not.toContain('swift')
      const plain = await asScreen(token, route)
      expect(JSON.stringify(plain.data), name).not.toContain('swift')
    }
    const foreign = await asScreen(token, bigScreen.deviceBaseInfo, { organiseId: fixture.swift.id })
    expect(foreign.data).toMatchObject({ allDeviceCount: 0, totalPortCount: 0 })
    expect(await asScreen(token, bigScreen.latestOrders, { organiseId: fixture.swift.id })).toMatchObject({ data: [] })
  })

  it('never has the scope of the platform, not even as a link of the platform itself', async () => {
    const { token } = await make({ organiseId: '1' }, fixture.platform.root.token)
    expect((await asScreen(token, bigScreen.deviceBaseInfo)).data).toMatchObject({ allDeviceCount: 0 })
    expect((await asScreen(token, bigScreen.orderTransaction)).data.total.orderCount).toBe(0)
  })

  it('shows no personal data, not even masked', async () => {
    await api.sql("update member set phone = '139' || lpad(id::text, 8, '0') where organise_id = $1", [
      fixture.green.id,
    ])
    const { token } = await make()
    const { data: own } = await api.call(fixture.green.admin.token, bigScreen.latestOrders, { body: {} })
    expect(own.some(({ memberPhone }) => memberPhone !== null)).toBe(true)
    const { data: shown } = await asScreen(token, bigScreen.latestOrders)
    expect(shown.map(({ id }) => id)).toEqual(own.map(({ id }) => id))
    expect(shown.every(({ memberPhone }) => memberPhone === null)).toBe(true)
  })

  it('is confined to a class and a region, whatever the request contains', async () => {
    const all = await make()
    const other = await make({ deviceFirstClass: '01' })
    const same = await make({ deviceFirstClass: '91' })
    const count = async (token: string, body = {}) =>
      (await asScreen(token, bigScreen.deviceBaseInfo, body)).data.allDeviceCount
    expect(await count(all.token)).toBe(4)
    expect(await count(same.token)).toBe(4)
    expect(await count(other.token)).toBe(0)
    expect(await count(other.token, { deviceFirstClass: '91' })).toBe(0)
    // Members belong to no class, so a link that is confined to a class cannot read them.
    expect((await asScreen(same.token, bigScreen.memberRegionRanking)).status).toBe(403)
    expect((await asScreen(all.token, bigScreen.memberRegionRanking)).status).toBe(200)

    await api.sql(
      "update site set province_code = '330000', city_code = '330100', district_code = '330106' where id = $1",
      [fixture.green.siteId],
    )
    const here = await make({ provinceCode: '330000' })
    const there = await make({ provinceCode: '510000', cityCode: '510100' })
    expect(await count(here.token)).toBe(2)
    expect(await count(here.token, { province: '510000' })).toBe(2)
    expect(await count(there.token)).toBe(0)
    expect(await count(there.token, { province: '330000', city: '330100' })).toBe(0)
  })

  it('is listed with its state and last use, and its token is stored nowhere in plain text', async () => {
    const { id, token, expiresAt } = await make({ name: '前台', provinceCode: '330000' })
    const find = async () =>
      (await api.call(fixture.green.admin.token, screenLink.list, { query: { keyword: '前台' } })).data.rows
    expect(await find()).toMatchObject([
      { id, status: 1, regionName: '浙江省', firstClassName: null, expiresAt, lastUsedAt: null },
    ])
    expect(await statusFor(token)).toBe(200)
    expect((await find())[0]?.lastUsedAt).toMatch(/^\d{4}-/)
    const [nonce = ''] = [claimsOf(token)?.nonce]
    expect(nonce).toHaveLength(22)
    for (const table of ['screen_link', 'audit_log', 'idempotency_key', 'outbox'])
      expect(
        await api.sql(
          `select 1 as found from ${table} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
          [token.slice(-30), nonce],
        ),
        table,
      ).toEqual([])
  })

  it('is logged when created and when revoked', async () => {
    const { id } = await make({ name: '入账' })
    await api.call(fixture.green.admin.token, screenLink.revoke, { body: { id } })
    const lines = await api.sql<{ content: string; changes: { table: string }[] }>(
      "select content, changes from audit_log where module = '数据大屏' and content like '%入账%' order by id",
    )
    expect(lines.map(({ content }) => content)).toEqual(['生成大屏链接：入账，有效30天', '撤销大屏链接：入账'])
    expect(lines.map(({ changes }) => changes.map(({ table }) => table))).toEqual([['screen_link'], ['screen_link']])
    expect(JSON.stringify(lines)).not.toContain('\\\\x')
  })

  it('is valid for a year at most', async () => {
    const long = { name: 'x', days: String(screenLinkMost.days + 1) } as never
    expect((await api.call(fixture.green.admin.token, screenLink.add, { body: long })).status).toBe(422)
    const { token } = await make({ days: '365' })
    expect(claimsOf(token)?.expires).toBeLessThanOrEqual(Date.now() / 1000 + 365 * 86_400)
    // Not even the database role of the api can extend its time, or change its organisation or view.
    const role = new pg.Client({ connectionString: apiUrl(api.database) })
    await role.connect()
    for (const change of ["expires_at = now() + interval '9 years'", 'organise_id = 1', 'province_code = null'])
      await expect(role.query(`update screen_link set ${change}`), change).rejects.toThrow('permission denied')
    await role.end()
  })
})

describe('a token', () => {
  it('is refused with any changed letter, organisation, time or view', async () => {
    const { token } = await make({ deviceFirstClass: '91' })
    expect(await statusFor(token)).toBe(200)
    const [payload = '', mac = ''] = token.split('.')
    const places = Array.from(token).flatMap((letter, place) =>
      place % 17 === 0 || place > token.length - 6 ? [{ letter, place }] : [],
    )
    for (const { letter, place } of places) {
      const other = letter === 'A' ? 'B' : 'A'
      expect(await statusFor(token.slice(0, place) + other + token.slice(place + 1)), `${place}`).toBe(401)
    }
    const claims = claimsOf(token)
    for (const change of [
      { organiseId: fixture.swift.id },
      { expires: (claims?.expires ?? 0) + 86_400 * 365 },
      { deviceFirstClass: undefined },
      {},
    ]) {
      const edited = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
      const same = edited === payload
      expect(await statusFor(`${edited}.${mac}`), JSON.stringify(change)).toBe(same ? 200 : 401)
    }
    for (const nonsense of ['', '.', 'x', `${payload}.`, `.${mac}`, `${payload}.${mac}.${mac}`, 'x'.repeat(5000)])
      expect(await statusFor(nonsense)).toBe(401)
  })

  it('is refused if signed by another key or absent from the database', async () => {
    const claims = { organiseId: fixture.green.id, expires: Math.floor(Date.now() / 1000) + 3600, title: 'x' }
    const foreign = new ScreenSigner([`x:${Buffer.alloc(32, 7).toString('base64')}`]).sign(claims)
    expect(await statusFor(foreign)).toBe(401)
    expect(await statusFor(api.deps.screenLinks.signer.sign(claims))).toBe(401)
  })

  it('is refused after its expiry, both by its own claim and by the database', async () => {
    const { signer } = api.deps.screenLinks
    const claims = { organiseId: fixture.green.id, title: 'x' }
    const note = (token: string, minutes: number) =>
      api.sql(
        `insert into screen_link (organise_id, name, token_hash, created_at, expires_at)
         values ($1, 'x', $2, now() - interval '1 day', now() + make_interval(mins => $3))`,
        [fixture.green.id, sha256(token), minutes],
      )
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
    const over = signer.sign({ ...claims, expires: inSeconds(-1) })
    const ended = signer.sign({ ...claims, expires: inSeconds(3600) })
    const good = signer.sign({ ...claims, expires: inSeconds(3600) })
    await note(over, 60)
    await note(ended, -1)
    await note(good, 60)
    expect(await Promise.all([over, ended, good].map(statusFor))).toEqual([401, 401, 200])
  })

  it('is no session, and a session is no token', async () => {
    const { token } = await make()
    const asBearer = await api.call(token, bigScreen.deviceBaseInfo, { body: {} })
    expect(asBearer.status).toBe(401)
    expect(await statusFor(fixture.green.admin.token)).toBe(401)
  })

  it('opens the calls of the big screen and no other route', async () => {
    const { token } = await make()
    const open: string[] = []
    for (const one of allRoutes) {
      const input = sampleInput(one.route, () => '1', false)
      const search = new URLSearchParams(input.query).toString()
      const response = await fetch(
        `${api.url}${fillPath(one.route.path, { ...input.params, ...(one.route === bigScreen.heartbeat ? { id: fixture.green.id } : {}) })}${search === '' ? '' : `?${search}`}`,
        {
          method: one.route.method,
          headers: {
            ...headers(token),
            ...(one.route.method === 'POST'
              ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
              : {}),
          },
          ...(one.route.method === 'POST' ? { body: '{}' } : {}),
        },
      )
      await response.body?.cancel()
      if (response.status !== 401 && response.status !== 403) open.push(nameOf(one))
    }
    const { orderPc, memberPc, ...screens } = bigScreen
    expect([orderPc.access, memberPc.access].some((access) => typeof access === 'object' && 'screen' in access)).toBe(
      false,
    )
    expect(open.toSorted()).toEqual(
      Object.values(screens)
        .map((route) => nameOf({ route }))
        .toSorted(),
    )
    expect(open).toHaveLength(21)
  })

  it('is limited in attempts per address', async () => {
    const own = await startApi()
    const token = `${'A'.repeat(40)}.${'A'.repeat(43)}`
    const attempt = async () =>
      (await own.call(undefined, bigScreen.deviceBaseInfo, { body: {}, headers: headers(token) })).status
    const minute = Math.ceil(Date.now() / 60_000) * 60_000
    vi.useFakeTimers({ toFake: ['Date'], now: minute })
    for (let attempts = 0; attempts < 300; attempts++) expect(await attempt()).toBe(401)
    expect(await attempt()).toBe(429)
    vi.setSystemTime(minute + 60_000)
    expect(await attempt()).toBe(401)
  })
})

describe('a revoked link', () => {
  // Both instances cache links and check open streams by a clock that only the test advances.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() })
  })
  const passHalfASecond = () => vi.advanceTimersByTime(500)
  const statusesOf = async (token: string) => [
    await statusFor(token),
    (await second(undefined, bigScreen.deviceBaseInfo, { body: {}, headers: headers(token) })).status,
  ]
  /** Opens a stream at each instance, invalidates the link, and advances the clock once. */
  async function expectEnd(token: string, end: () => Promise<unknown>) {
    const streams = await Promise.all([follow(api.url, token), follow(secondUrl, token)])
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    expect(await statusesOf(token)).toEqual([200, 200])
    await end()
    passHalfASecond()
    expect(await statusesOf(token)).toEqual([401, 401])
    await until(() => (streams.every(({ ended }) => ended) ? true : undefined))
    for (const { text } of streams) expect(text).toContain('"revoked"')
  }

  it('is refused by each instance half a second later, and its open streams end', async () => {
    const { id, token } = await make()
    await expectEnd(token, () => api.call(fixture.green.admin.token, screenLink.revoke, { body: { id } }))
    const again = await api.call(fixture.green.admin.token, screenLink.revoke, { body: { id } })
    expect(again).toMatchObject({ status: 409, message: '链接已失效' })
  })

  it('includes a link of a disabled organisation', async () => {
    const { token } = await make({ organiseId: fixture.swift.id }, fixture.platform.root.token)
    expect(await statusesOf(token)).toEqual([200, 200])
    await api.sql('update organise set status = 0 where id = $1', [fixture.swift.id])
    passHalfASecond()
    expect(await statusesOf(token)).toEqual([401, 401])
    await api.sql('update organise set status = 1 where id = $1', [fixture.swift.id])
  })
})

describe('an open stream', () => {
  it('stays open while its link is valid, and is refused for another organisation', async () => {
    const { token } = await make()
    const stream = await follow(api.url, token)
    // The link is checked several times between two heartbeats.
    await until(() => ((stream.text.match(/"beat"/g)?.length ?? 0) > 1 ? true : undefined))
    expect(stream.ended).toBe(false)
    const foreign = await fetch(`${api.url}${fillPath(bigScreen.heartbeat.path, { id: fixture.swift.id })}`, {
      headers: headers(token),
    })
    expect(foreign.status).toBe(403)
  })
})

describe('the limit of links', () => {
  it('applies to the valid links of an organisation', async () => {
    const keeper = await makePerson(api, {
      organiseId: fixture.swift.id,
      loginName: 'swift_keeper',
      menus: ['10', '10.4'],
    })
    await api.sql(
      `insert into screen_link (organise_id, name, token_hash, expires_at)
       select $1, 'x', sha256(n::text::bytea), now() + interval '1 day' from generate_series(1, $2) n`,
      [fixture.swift.id, screenLinkMost.live],
    )
    const body = { name: 'x', days: '1' } as never
    expect((await api.call(keeper.token, screenLink.add, { body })).status).toBe(409)
  })
})
