import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { balanceAdjustment } from '@wattdeck/contract/member/balance-adjustment.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { userMaintenance } from '@wattdeck/contract/system/user-maintenance.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { needsStepUp } from '../../src/kit/auth/two-people.ts'
import { sha256 } from '../../src/kit/auth/tokens.ts'
import { base32, totpCode, totpStep } from '../../src/features/auth/login/totp.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { sampleInput } from './samples.ts'
import { type Actor, makePerson, makeFixture, openSession, tenantMenus, type Fixture } from '../harness/people.ts'

/** Attacks on maker-checker: one person acts as two. */
let api: TestApi
let fixture: Fixture
let asker: Actor
let decider: Actor
let member: string
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const menus = [...tenantMenus]
  asker = await makePerson(api, { organiseId: fixture.green.id, loginName: 'asker', menus })
  decider = await makePerson(api, { organiseId: fixture.green.id, loginName: 'decider', menus })
  const rows = await api.sql<{ id: string }>(
    "insert into member (organise_id, nickname) values ($1, '会员') returning id",
    [fixture.green.id],
  )
  member = rows[0]?.id ?? ''
})

const ownHands = allRoutes.filter(({ route }) => needsStepUp(route))
const factorAt = (token: string, ago: string) =>
  api.sql(`update session set factor_at = now() - interval '${ago}' where token_hash = $1`, [sha256(token)])
const linked = (user: string, by: string, ago: string) =>
  api.sql(
    `insert into credential_change (organise_id, user_id, kind, changed_by, created_at)
     values ($1, $2, 'password', $3, now() - interval '${ago}')`,
    [fixture.green.id, user, by],
  )
const unlink = () => api.sql('delete from credential_change')

/** Calls each route for a row that does not exist; the api checks the caller before the row. */
async function knock(token: string): Promise<Map<string, number>> {
  const statuses = new Map<string, number>()
  for (const { feature, name, route } of ownHands) {
    const { body } = sampleInput(route, () => '987654321', false)
    for (const field of ['total', 'max', 'day']) if (field in body) body[field] = '1.00'
    const reply = await fetch(`${api.url}${route.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
      body: new URLSearchParams(body),
    })
    statuses.set(`${feature}.${name}`, reply.status)
  }
  return statuses
}
const statusesBut = (statuses: Map<string, number>, ...allowed: number[]) =>
  [...statuses].filter(([, status]) => !allowed.includes(status))

describe('every route that approves, or changes the basis of money and accounts', () => {
  it('is listed here: approvals, keys of merchants, passwords and phones of others', () => {
    const approving = allRoutes.filter(
      ({ route }) => typeof route.access === 'object' && route.access.action === 'approve' && !route.reads,
    )
    expect(approving.length).toBeGreaterThan(12)
    expect(ownHands.length).toBeGreaterThan(approving.length + 5)
    for (const { route } of ownHands) expect(route.method).toBe('POST')
  })

  it('accepts a caller with a fresh second factor: only the missing row is refused', async () => {
    const root = await makePerson(api, {
      organiseId: '1',
      loginName: 'hands_root',
      menus: '*',
      topLevel: 0,
      code: 'ADMIN',
    })
    const statuses = await knock(root.token)
    // This route requires the platform to name the organisation.
    expect(statusesBut(statuses, 404)).toEqual([['refundOrder.savePolicy', 422]])
  })

  it('[attack.H2] is closed to a session of a quick link', async () => {
    const { data } = await api.call(fixture.green.admin.token, staff.quickLogin, { body: { id: decider.id } })
    const borrowed = await api.call(undefined, login.byTicket, { body: { ticket: data.ticket } })
    await factorAt(borrowed.data.access_token, '0 seconds')
    const statuses = await knock(borrowed.data.access_token)
    expect(statusesBut(statuses, 403)).toEqual([])
  })

  it('[attack.H1] requires the second factor again after ten minutes', async () => {
    const token = await openSession(api, decider.id)
    await factorAt(token, '11 minutes')
    const stale = await knock(token)
    expect(statusesBut(stale, 428, 403)).toEqual([])
    expect([...stale.values()].filter((status) => status === 428).length).toBeGreaterThan(10)
    await factorAt(token, '9 minutes')
    expect([...(await knock(token)).values()]).not.toContain(428)
  })

  it('[attack.H1] is closed for an hour after any credential of the account changed', async () => {
    await linked(decider.id, decider.id, '59 minutes')
    const statuses = await knock(decider.token)
    expect(statusesBut(statuses, 409, 403)).toEqual([])
    expect([...statuses.values()].filter((status) => status === 409).length).toBeGreaterThan(10)
    await unlink()
    await linked(decider.id, decider.id, '61 minutes')
    expect([...(await knock(decider.token)).values()]).toContain(404)
    await unlink()
  })
})

describe('a request for money', () => {
  const ask = async (token: string) => {
    const body = { memberId: member, direction: 1, wallet: 1, amount: '1.00', reason: '补偿' } as never
    return (await api.call(token, balanceAdjustment.add, { body })).data.id
  }
  const approve = (token: string, id: string) => api.call(token, balanceAdjustment.approve, { body: { id } })

  it('[attack.H1] is not decided by an account that its requester could have entered', async () => {
    const id = await ask(asker.token)
    await linked(decider.id, asker.id, '23 hours')
    expect((await approve(decider.token, id)).message).toContain('须由其他人处理')
    await unlink()
    await linked(decider.id, asker.id, '25 hours')
    expect((await approve(decider.token, id)).status).toBe(200)
    await unlink()
  })

  it('[attack.H1] is not decided by a person who could have entered the account of its requester', async () => {
    const id = await ask(asker.token)
    await linked(asker.id, decider.id, '2 hours')
    expect((await approve(decider.token, id)).status).toBe(409)
    await unlink()
    expect((await approve(decider.token, id)).status).toBe(200)
  })

  it('[attack.H1] is not decided by an account that its requester created, nor whose phone or password they set', async () => {
    const { admin } = fixture.green
    const id = await ask(admin.token)
    const [role] = await api.sql<{ role: string }>('select role_id as role from user_role where user_id = $1', [
      decider.id,
    ])
    const added = await api.call(admin.token, staff.add, {
      body: {
        employeeNo: 'M1',
        name: '新人',
        loginName: 'made_now',
        phone: '13900000077',
        roleIds: [role?.role ?? ''],
      },
    })
    expect(added.status).toBe(200)
    const changes: [string, () => Promise<{ status: number }>][] = [
      ['account', async () => ({ status: 200 })],
      ['password', () => api.call(admin.token, staff.resetPassword, { body: { id: added.data.id } })],
      [
        'phone',
        () =>
          api.call(admin.token, staff.changePhone, {
            body: { id: added.data.id, phone: '13900000078', reason: '换号' },
          }),
      ],
      ['password', () => api.call(admin.token, userMaintenance.resetPassword, { body: { id: added.data.id } })],
    ]
    for (const [kind, change] of changes) {
      expect((await change()).status).toBe(200)
      const rows = await api.sql('select kind from credential_change where user_id = $1 and changed_by = $2', [
        added.data.id,
        admin.id,
      ])
      expect(rows.at(-1)).toEqual({ kind })
      // Older than the hour of the block, younger than the day.
      await api.sql("update credential_change set created_at = now() - interval '2 hours'")
      const token = await openSession(api, added.data.id)
      expect((await approve(token, id)).message).toContain('须由其他人处理')
      await unlink()
    }
    await unlink()
  })

  it('[attack.H1] the phone of a colleague is not changed by editing them, and its change notifies both phones', async () => {
    const { admin, clerk } = fixture.green
    const edited = await api.call(admin.token, staff.edit, {
      body: { id: clerk.id, employeeNo: 'green_clerk', name: '员工', phone: '13900000099' } as never,
    })
    expect(edited.status).toBe(422)
    const body = { id: clerk.id, phone: '13900000099', reason: '换号' }
    expect((await api.call(admin.token, staff.changePhone, { body: { ...body, id: admin.id } })).status).toBe(409)
    expect((await api.call(admin.token, staff.changePhone, { body })).status).toBe(200)
    expect((await api.call(clerk.token, staff.list)).status).toBe(401)
    const messages = await api.sql<{ phone: string }>("select phone from sms_message where template = 'SMS_FACTOR'")
    expect(messages.map(({ phone }) => phone)).toEqual(expect.arrayContaining([clerk.phone, '13900000099']))
    await unlink()
  })
})

describe('a repeated second factor', () => {
  it('unlocks protected routes for ten minutes, counts wrong codes, and is refused to borrowed sessions and persons without one', async () => {
    const { id } = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'steps_up',
      menus: [...tenantMenus],
    })
    const token = await openSession(api, id)
    const step = (code: string) => api.call(token, login.stepUp, { body: { code } })
    expect((await step('123456')).message).toContain('还未绑定')
    await api.sql('delete from attempt')
    const secret = base32(Buffer.alloc(20, 9))
    await api.sql('update user_account set totp_secret = $1 where id = $2', [api.deps.vault.seal(secret), id])
    await factorAt(token, '1 day')
    const approve = () => api.call(token, balanceAdjustment.approve, { body: { id: '987654321' } })
    expect((await approve()).status).toBe(428)
    const now = totpStep(Date.now())
    const codes = new Set([-1, 0, 1].map((by) => totpCode(secret, now + by)))
    const wrong = ['000000', '000001', '000002', '000003'].find((code) => !codes.has(code)) ?? ''
    expect((await step(wrong)).status).toBe(422)
    expect((await approve()).status).toBe(428)
    expect((await step(totpCode(secret, now))).status).toBe(200)
    expect((await approve()).status).toBe(404)
    expect(await api.sql('select 1 from attempt where key = $1', [`second-factor:${id}`])).toEqual([])
    // A code is valid once.
    expect((await step(totpCode(secret, now))).status).toBe(422)
  })
})
