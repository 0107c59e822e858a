import { session } from '@wattdeck/contract/auth/session.ts'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildApi } from '../../src/app/api.ts'
import { SessionSigner } from '../../src/kit/auth/session-signer.ts'
import { newToken, sha256 } from '../../src/kit/auth/tokens.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { makeFixture, openSession, type Fixture } from '../harness/people.ts'

/** Attacks on sessions by a person with write access to Redis. */
let api: TestApi
let fixture: Fixture
let redis: Redis
let closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  redis = new Redis(api.config.redisUrl)
})
// The clock of the api stands still; Redis has its own.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers) await close()
  closers = []
})
afterAll(() => redis.disconnect())

const keyOf = (token: string) => `${api.config.prefix}:session:${sha256(token).toString('base64')}`
const newKey = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const memoryMs = 500

/** Another copy of the api on the same engines. Its memory is empty, so it reads Redis first. */
async function startCopy(secretKeys = api.config.secretKeys) {
  const copy = await buildApi({ ...api.config, secretKeys })
  closers.push(() => copy.app.close())
  return callerOf(await copy.app.listen({ port: 0, host: '127.0.0.1' }))
}
const idSeen = async (call: ReturnType<typeof callerOf>, token: string) => {
  const { status, data } = await call(token, session.userInfo)
  return status === 200 ? data.id : status
}
/** The entry that the api writes for a session. It stays in Redis until the test has read it. */
async function entryOf(token: string): Promise<string> {
  const written: string[] = []
  const set = vi.spyOn(api.deps.redis, 'set')
  try {
    expect((await api.call(token, session.userInfo)).status).toBe(200)
    for (const [key, value] of set.mock.calls) if (key === keyOf(token)) written.push(String(value))
  } finally {
    set.mockRestore()
  }
  expect(written).toHaveLength(1)
  return written[0] ?? ''
}
/** Writes an entry that outlives the test, as an attacker would. */
const plant = (token: string, entry: string) => redis.set(keyOf(token), entry, 'EX', 60)
const payloadOf = (entry: string) => entry.split('.').slice(2).join('.')

describe('an entry in Redis', () => {
  it('of the api is accepted by another copy, so that the tests below are significant', async () => {
    const token = await openSession(api, fixture.green.admin.id)
    const call = await startCopy()
    await plant(token, await entryOf(token))
    await api.sql('update session set ended_at = now() where token_hash = $1', [sha256(token)])
    expect(await idSeen(call, token)).toBe(fixture.green.admin.id)
  })

  it('[attack.H6] forged for the caller’s own token grants no rights of a super administrator', async () => {
    const root = payloadOf(await entryOf(await openSession(api, fixture.platform.root.id)))
    expect(JSON.parse(root)).toMatchObject({ userId: fixture.platform.root.id, stage: 'full' })
    const expiresMs = Date.now() + 60_000
    const stranger = new SessionSigner([newKey('test', 8)])
    const call = await startCopy()
    for (const forge of [
      () => root,
      () => `${expiresMs}.${'A'.repeat(43)}.${root}`,
      () => `${expiresMs}..${root}`,
      () => `.${expiresMs}.${root}`,
      (token: string) => stranger.sign(keyOf(token), root, expiresMs),
      () => '',
      () => 'null',
      () => '{"roleTopLevel":0',
      () => '\0'.repeat(100),
    ]) {
      const token = newToken()
      await plant(token, forge(token))
      expect(await idSeen(call, token), JSON.stringify(forge(token))).toBe(401)
    }
  })

  it('[attack.H6] copied from another token, or changed in any part, is rejected', async () => {
    const entry = await entryOf(await openSession(api, fixture.platform.root.id))
    const [expires = '', mac = ''] = entry.split('.')
    const call = await startCopy()
    for (const copied of [
      entry,
      `${Number(expires) + 60_000}.${mac}.${payloadOf(entry)}`,
      `${expires}.${mac}.${payloadOf(entry).replace('"roleTopLevel":0', '"roleTopLevel":1')}`,
    ]) {
      const unknownToken = newToken()
      await plant(unknownToken, copied)
      expect(await idSeen(call, unknownToken)).toBe(401)
    }
    // A session that exists is found in PostgreSQL, and keeps its person.
    const clerk = await openSession(api, fixture.green.clerk.id)
    await plant(clerk, entry)
    expect(await idSeen(call, clerk)).toBe(fixture.green.clerk.id)
  })

  it('[attack.H6] changed under its own token is rejected', async () => {
    const token = await openSession(api, fixture.green.admin.id)
    const entry = await entryOf(token)
    const call = await startCopy()
    await plant(token, entry.replace(`"userId":"${fixture.green.admin.id}"`, `"userId":"${fixture.platform.root.id}"`))
    expect(await idSeen(call, token)).toBe(fixture.green.admin.id)
  })

  it('[attack.H6] kept past its expiry does not restore a revoked session', async () => {
    const token = await openSession(api, fixture.green.admin.id)
    const entry = await entryOf(token)
    await api.sql('update session set ended_at = now() where token_hash = $1', [sha256(token)])
    await plant(token, entry)
    const call = await startCopy()
    vi.setSystemTime(Date.now() + memoryMs)
    expect(await idSeen(call, token)).toBe(401)
    expect(await idSeen(api.call, token)).toBe(401)
  })

  it('[attack.H6] of an older key is accepted only while SECRET_KEYS lists that key', async () => {
    const token = await openSession(api, fixture.green.admin.id)
    await plant(token, await entryOf(token))
    await api.sql('update session set ended_at = now() where token_hash = $1', [sha256(token)])
    const rotated = await startCopy([newKey('new', 9), ...api.config.secretKeys])
    const retired = await startCopy([newKey('new', 9)])
    expect(await idSeen(rotated, token)).toBe(fixture.green.admin.id)
    expect(await idSeen(retired, token)).toBe(401)
    // Live sessions of both keys continue, whichever copy wrote the entry.
    const live = await openSession(api, fixture.green.clerk.id)
    await plant(live, await entryOf(live))
    expect(await idSeen(retired, live)).toBe(fixture.green.clerk.id)
    vi.setSystemTime(Date.now() + memoryMs)
    expect(await idSeen(api.call, live)).toBe(fixture.green.clerk.id)
  })
})
