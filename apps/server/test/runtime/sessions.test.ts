import { changePassword } from '@wattdeck/contract/personal/change-password.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { role } from '@wattdeck/contract/system/role.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildApi } from '../../src/app/api.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { makeFixture, openSession, password, type Fixture } from '../harness/people.ts'
import { until } from '../harness/until.ts'

let api: TestApi
let fixture: Fixture
let second: ReturnType<typeof callerOf>
let redis: Redis
let closeSecond: () => Promise<void>

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const copy = await buildApi(api.config)
  second = callerOf(await copy.app.listen({ port: 0, host: '127.0.0.1' }))
  closeSecond = () => copy.app.close()
  redis = new Redis(api.config.redisUrl)
})
afterAll(async () => {
  await closeSecond()
  redis.disconnect()
})

const keysOf = () => redis.keys(`${api.config.prefix}:session:*`)
async function loseRedis() {
  const keys = await keysOf()
  if (keys.length > 0) await redis.del(keys)
}

// The clock of both copies stands still, so their memory expires only when a test moves it. Redis has its own clock.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})
const memoryMs = 500
const expireMemory = () => vi.setSystemTime(Date.now() + memoryMs)
/** Redis caches a session no longer than a memory does, so both together cache it for a second at most. */
async function expireRedis() {
  for (const key of await keysOf()) expect(await redis.pttl(key)).toBeLessThanOrEqual(memoryMs)
  await until(async () => (await keysOf()).length === 0 || undefined)
}
const statusesOf = async (token: string) => [
  (await api.call(token, session.userInfo)).status,
  (await second(token, session.userInfo)).status,
]

describe('a revoked session', () => {
  const revocations: [string, (token: string, id: string) => Promise<unknown>][] = [
    ['logout', (token) => api.call(token, login.logout)],
    [
      'a changed password',
      (token) =>
        api.call(token, changePassword.change, {
          body: { oldPassword: password, newPassword: `Renewed-${Date.now()}a` },
        }),
    ],
    [
      'a disabled account',
      (_, id) => api.call(fixture.green.admin.token, staff.toggle, { body: { ids: [id], status: 0 } }),
    ],
    ['a removed account', (_, id) => api.call(fixture.green.admin.token, staff.remove, { body: { ids: [id] } })],
  ]
  it.each(revocations)(
    'by %s is refused at once where it was revoked, by the other copy after its memory expires, and without Redis',
    async (_, revoke) => {
      const added = await api.call(fixture.green.admin.token, staff.add, {
        body: {
          employeeNo: `N${Date.now()}`,
          name: '临时',
          loginName: `temp${Date.now()}`,
          phone: `137${String(Date.now()).slice(-8)}`,
        },
      })
      await api.sql(
        'update user_account set password_hash = (select password_hash from user_account where id = $2) where id = $1',
        [added.data.id, fixture.green.admin.id],
      )
      const token = await openSession(api, added.data.id)
      for (let warm = 0; warm < 3; warm++) expect(await statusesOf(token)).toEqual([200, 200])
      await revoke(token, added.data.id)
      expect((await api.call(token, session.userInfo)).status).toBe(401)
      expireMemory()
      expect(await statusesOf(token)).toEqual([401, 401])
      await loseRedis()
      expect(await statusesOf(token)).toEqual([401, 401])
    },
  )

  it('in the database only is refused when Redis and the memories have expired', async () => {
    const token = await openSession(api, fixture.green.clerk.id)
    expect(await statusesOf(token)).toEqual([200, 200])
    await api.sql('update session set ended_at = now() where user_id = $1', [fixture.green.clerk.id])
    await expireRedis()
    expireMemory()
    expect(await statusesOf(token)).toEqual([401, 401])
  })
})

describe('rights', () => {
  it('removed from a role take effect on both copies when Redis and the memories have expired', async () => {
    const { installer, admin } = fixture.green
    const token = await openSession(api, installer.id)
    const keys = () =>
      Promise.all(
        [api.call, second].map(async (call) => {
          const { data } = await call(token, session.userInfo)
          return data.menuTree.map((menu) => menu.menuKey)
        }),
      )
    for (const seen of await keys()) expect(seen).toContain('2')
    const saved = await api.call(admin.token, role.savePrivilege, {
      body: { roleId: installer.roleId ?? '', canUnmask: false },
    })
    expect(saved.status).toBe(200)
    await expireRedis()
    expireMemory()
    for (const seen of await keys()) expect(seen).not.toContain('2')
  })
})

describe('Redis', () => {
  it('holds only data that can be lost: without it every person is served from PostgreSQL', async () => {
    const alone = await startApi({ redisUrl: 'redis://127.0.0.1:1' })
    const own = await makeFixture(alone)
    expect((await alone.call(own.green.admin.token, session.userInfo)).status).toBe(200)
    expect((await alone.call('x'.repeat(43), session.userInfo)).status).toBe(401)
  })
})
