import { ownSession } from '@wattdeck/contract/personal/own-session.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makePerson, makeFixture, openSession, password } from '../../../../test/harness/people.ts'
import { sha256 } from '../../../kit/auth/tokens.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const enter = async (loginName: string) =>
  (await api.call(undefined, login.byPassword, { body: { loginName, password } })).data.access_token
const statusOf = async (token: string) => (await api.call(token, session.userInfo)).status
const idOf = async (token: string) =>
  (await api.sql<{ id: string }>('select id from session where token_hash = $1', [sha256(token)]))[0]?.id ?? ''

describe('a stranger', () => {
  it('neither sees nor ends the session of another person, of the same organisation or not', async () => {
    const victim = fixture.green.clerk
    const id = await idOf(victim.token)
    for (const { token } of [fixture.green.admin, fixture.swift.admin, fixture.platform.root]) {
      const seen = await api.call(token, ownSession.list)
      expect(seen.data.map((row) => row.id)).not.toContain(id)
      expect((await api.call(token, ownSession.end, { body: { id } })).status).toBe(404)
    }
    expect(await statusOf(victim.token)).toBe(200)
  })

  it('with a quick-login link neither sees nor ends the sessions of its owner', async () => {
    const issued = await api.call(fixture.green.admin.token, staff.quickLogin, { body: { id: fixture.green.clerk.id } })
    const { data } = await api.call(undefined, login.byTicket, { body: { ticket: issued.data.ticket } })
    expect((await api.call(data.access_token, ownSession.list)).status).toBe(403)
    expect((await api.call(data.access_token, ownSession.endOthers)).status).toBe(403)
    const seen = await api.call(fixture.green.clerk.token, ownSession.list)
    const [name] = await api.sql<{ name: string }>('select name from user_account where id = $1', [
      fixture.green.admin.id,
    ])
    expect(seen.data.find((row) => row.openedBy === 'link')?.actedBy).toBe(name?.name)
  })
})

describe('the sessions of a person', () => {
  it('[attack.L8] are shown to their owner with browser, address, times and how they were opened', async () => {
    await makePerson(api, { organiseId: fixture.green.id, loginName: 'looks_on' })
    const token = await enter('looks_on')
    const { data } = await api.call(token, ownSession.list)
    expect(data).toHaveLength(2)
    expect(data.find((row) => row.isCurrent)).toMatchObject({
      id: await idOf(token),
      ip: '127.0.0.1',
      openedBy: 'password',
      factor: null,
      actedBy: null,
    })
    expect(data.filter((row) => row.isCurrent)).toHaveLength(1)
  })

  it('[attack.L8] can be ended one by one, and all others at once', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'ends_them' })
    const [one, two, own] = [await enter('ends_them'), await enter('ends_them'), await enter('ends_them')]
    expect((await api.call(own, ownSession.end, { body: { id: await idOf(one) } })).status).toBe(200)
    expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
    expect((await api.call(own, ownSession.end, { body: { id: await idOf(own) } })).status).toBe(409)
    expect((await api.call(own, ownSession.endOthers)).data.ended).toBe(2)
    expect(await Promise.all([two, person.token, own].map(statusOf))).toEqual([401, 401, 200])
  })

  it('[attack.L8] are at most five: the oldest ends when a sixth begins', async () => {
    await makePerson(api, { organiseId: fixture.green.id, loginName: 'many_doors' })
    await api.sql(
      "update session set ended_at = now() where user_id = (select id from user_account where login_name = 'many_doors')",
    )
    const tokens: string[] = []
    for (let opened = 0; opened < 5; opened++) tokens.push(await enter('many_doors'))
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 200, 200, 200])
    tokens.push(await enter('many_doors'))
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 200, 200, 200, 200])
  })

  it('are not ended by logins that stop halfway, nor by quick-login links', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'kept_open' })
    await api.sql("update user_account set password_changed_at = now() - interval '91 days' where id = $1", [person.id])
    for (let opened = 0; opened < 7; opened++) await enter('kept_open')
    const [open] = await api.sql<{ n: number }>(
      "select count(*)::int as n from session where user_id = $1 and stage = 'password' and ended_at is null",
      [person.id],
    )
    expect(open?.n).toBe(5)
    for (let opened = 0; opened < 6; opened++) {
      const { data } = await api.call(fixture.green.admin.token, staff.quickLogin, { body: { id: person.id } })
      await api.call(undefined, login.byTicket, { body: { ticket: data.ticket } })
    }
    expect(await statusOf(person.token)).toBe(200)
  })

  it('that have been idle for too long are neither shown nor counted', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'was_idle' })
    const tokens = [person.token]
    for (let opened = 0; opened < 4; opened++) tokens.push(await openSession(api, person.id))
    await api.sql("update session set last_seen_at = now() - interval '31 minutes' where token_hash = $1", [
      sha256(tokens[3] ?? ''),
    ])
    tokens.push(await enter('was_idle'))
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 200, 401, 200, 200])
    expect((await api.call(person.token, ownSession.list)).data).toHaveLength(5)
  })
})
