import { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import { login } from '@wattdeck/contract/session/login.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/api.ts'
import { callerOf } from '../../../test/client.ts'
import { makeAdjustment, makeMember } from '../../../test/members.ts'
import { type Actor, makePerson, makeWorld, password, type World } from '../../../test/people.ts'

let api: TestApi
let world: World
beforeAll(async () => {
  api = await startApi()
  world = await makeWorld(api)
})

const read = async (who: Actor) => (await api.call(who.token, workTable.read)).data
const logIn = (loginName: string, word = password) =>
  callerOf(api.url)(undefined, login.byPassword, { body: { loginName, password: word } })
const counts = async (who: Actor) => (await read(who)).toDo.map((item) => item.count)

describe('a stranger', () => {
  it("sees neither another's logins nor what waits in another organisation", async () => {
    await logIn('swift_clerk')
    const before = await counts(world.green.admin)
    await api.sql("update user_account set locked_until = now() + interval '5 minutes' where login_name = 'swift_site'")
    await api.sql(
      "update user_account set password_changed_at = now() - interval '91 days' where login_name = 'swift_site'",
    )
    expect(await counts(world.green.admin)).toEqual(before)
    expect(await counts(world.swift.admin)).toEqual([0, 1, 1])
    expect((await read(world.green.admin)).recentLogins).toEqual([])
    expect((await read(world.swift.admin)).recentLogins).toEqual([])
    expect((await api.call(world.green.nobody.token, workTable.read)).status).toBe(403)
  })
})

describe('the work table', () => {
  it('names the organisation and the state of its basic service', async () => {
    await api.sql('update organise set basic_service_status = 3 where id = $1', [world.swift.id])
    expect(await read(world.swift.clerk)).toMatchObject({ organiseName: '机构swift', basicServiceStatus: 3 })
  })

  it('shows the last five logins of the caller, failed ones too, newest first', async () => {
    const who = await makePerson(api, { organiseId: world.green.id, loginName: 'logs_in', menus: ['2', '2.1'] })
    for (let n = 0; n < 5; n++) await logIn('logs_in')
    await logIn('logs_in', 'Wrong-pass-123')
    const { recentLogins } = await read(who)
    expect(recentLogins.map((entry) => entry.success)).toEqual([false, true, true, true, true])
    expect(recentLogins[0]).toMatchObject({ ip: '127.0.0.1', does: '密码登录' })
  })

  it('leaves out logins older than 31 days', async () => {
    const who = await makePerson(api, { organiseId: world.green.id, loginName: 'long_ago', menus: ['2', '2.1'] })
    await api.sql(
      `create table audit_log_older partition of audit_log for values from ('2020-01-01') to (date_trunc('month', now()) - interval '1 month')`,
    )
    await api.sql(
      `insert into audit_log (at, organise_id, user_id, module, kind, content, path, duration_ms, result, request_id, seq, prev_hash, hash)
       values (now() - interval '32 days', $1, $2, '登录', 'login', '密码登录', '/x', 1, 1, 'r', 0, '', '')`,
      [world.green.id, who.id],
    )
    expect((await read(who)).recentLogins).toEqual([])
  })

  it('counts locked accounts and old passwords for who holds the staff menu, in their scope', async () => {
    await api.sql(
      `update user_account set locked_until = now() + interval '5 minutes', password_changed_at = now() - interval '91 days'
       where login_name = any($1)`,
      [['green_clerk', 'green_sub_agent']],
    )
    await api.sql("update user_account set locked_until = now() - interval '1 minute' where login_name = 'green_site'")
    const { toDo } = await read(world.green.admin)
    expect(toDo.slice(1)).toEqual([
      { title: '已锁定的账号', count: 2, route: '/system/staff' },
      { title: '超过90天未修改密码的账号', count: 2, route: '/system/staff' },
    ])
    expect(await counts(world.green.agent)).toEqual([0, 1, 1])
    expect((await read(world.green.installer)).toDo).toEqual([])
  })

  it('counts balances to be decided on for who may decide, without what they asked for themselves', async () => {
    const { id: organiseId, subAgentId: agentId, siteId, admin, agent, installer } = world.green
    const waiting = async (who: Actor) =>
      (await read(who)).toDo.filter(({ title }) => title === '待审批的余额调整').map(({ count }) => count)
    await makeAdjustment(api, await makeMember(api, { organiseId, agentId, siteId }), admin.id)
    await makeAdjustment(api, await makeMember(api, { organiseId }), agent.id)
    expect(await waiting(admin)).toEqual([1])
    // The second one is of a member whom the agent does not see.
    expect(await waiting(agent)).toEqual([1])
    expect(await waiting(world.platform.root)).toEqual([2])
    expect(await waiting(world.swift.admin)).toEqual([0])
    expect(await waiting(installer)).toEqual([])
  })
})
