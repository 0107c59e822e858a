import { department } from '@wattdeck/contract/system/department.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture, type Fixture } from '../../../../test/harness/people.ts'
import { changesForReading, placeOfAddress } from './log.rules.ts'

let api: TestApi
let fixture: Fixture
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  for (const who of [fixture.green.admin, fixture.swift.admin]) await addDepartment(who)
})

let serial = 0
const addDepartment = (who: Actor, phone = '13812345678') =>
  api.call(who.token, department.add, { body: { name: '记录', code: `L${++serial}`, type: 1, phone } })
const list = async (who: Actor, query: object = {}) =>
  (await api.call(who.token, log.list, { query: { pageSize: 500, ...query } })).data
const detail = (who: Actor, id: string) => api.call(who.token, log.detail, { params: { id } })
const entryOf = async (who: Actor) =>
  (await api.sql<{ id: string }>('select id from audit_log where user_id = $1 order by id desc limit 1', [who.id]))[0]
    ?.id ?? ''
/** A log entry with a given time. */
async function entryAt(at: string, organiseId: string, content: string) {
  await api.sql(
    `insert into audit_log (at, organise_id, module, kind, content, path, duration_ms, result, request_id, seq, prev_hash, hash)
     values ($1, $2, '测试', 'edit', $3, '/x', 1, 1, 'r', 0, '', '')`,
    [at, organiseId, content],
  )
}
const shanghaiDay = (daysAgo: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() - daysAgo * 86_400_000)

describe('a stranger', () => {
  it("neither lists nor opens an entry of another organisation's log", async () => {
    const { green, swift } = fixture
    const names = (await list(green.admin)).rows.map((row) => row.organiseName)
    expect(names).toContain('机构green')
    expect(names).not.toContain('机构swift')
    expect((await list(green.admin, { organiseId: swift.id })).rows).toEqual([])
    expect((await list(green.admin, { operator: 'swift_admin' })).rows).toEqual([])
    expect((await detail(green.admin, await entryOf(swift.admin))).status).toBe(404)
    expect((await api.call(green.clerk.token, log.list)).status).toBe(403)
  })

  it('an agent does not read the entries of the organisation', async () => {
    const entry = await entryOf(fixture.green.admin)
    expect((await list(fixture.green.agent)).rows.map((row) => row.id)).not.toContain(entry)
    expect((await detail(fixture.green.agent, entry)).status).toBe(404)
  })
})

describe('the list', () => {
  it('shows users and their actions, newest first', async () => {
    await addDepartment(fixture.green.admin)
    const { rows } = await list(fixture.green.admin)
    expect(rows[0]).toMatchObject({
      userName: '姓名green_admin',
      loginName: 'green_admin',
      organiseName: '机构green',
      module: '部门管理',
      kind: 'add',
      content: '新增部门',
      path: '/seeker/api/department/save',
      ip: '127.0.0.1',
      place: '本机',
      result: 1,
    })
    const times = rows.map((row) => row.at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('names the agent and the site of the user as they were at that time', async () => {
    const { green, swift } = fixture
    const person = await makePerson(api, {
      organiseId: green.id,
      agentId: green.subAgentId,
      siteId: green.siteId,
      loginName: 'green_moved',
      menus: ['1', '1.1', '1.1.2'],
    })
    await api.call(person.token, department.remove, { body: { id: '999999' } })
    await api.call(green.admin.token, department.remove, { body: { id: '999999' } })
    await api.sql('update user_account set agent_id = $2, site_id = null, user_type = 2 where id = $1', [
      person.id,
      green.agentId,
    ])
    const owners = async (who: Actor, operator: string) => {
      const [row] = (await list(who, { operator, kind: 'delete' })).rows
      return row && [row.organiseName, row.agentName, row.siteName]
    }
    const place = ['机构green', '下级green', '站点green']
    expect(await owners(fixture.platform.admin, 'green_moved')).toEqual(place)
    expect(await owners(green.admin, 'green_moved')).toEqual(place)
    expect(await owners(green.agent, 'green_moved')).toEqual(place)
    expect(await owners(green.admin, 'green_admin')).toEqual(['机构green', null, null])
    expect(await owners(swift.admin, 'green_moved')).toBeUndefined()
    const { data } = await detail(green.admin, await entryOf(person))
    expect([data.organiseName, data.agentName, data.siteName]).toEqual(place)
    expect(await api.sql('select * from app.audit_breaks() where organise_id = $1', [green.id])).toEqual([])
  })

  it('is filtered by operator, module, kind, result and organisation', async () => {
    await addDepartment(fixture.green.admin)
    await api.call(fixture.green.admin.token, department.remove, { body: { id: '999999' } })
    const contents = async (query: object) =>
      new Set(
        (await list(fixture.platform.admin, query)).rows.map((row) => `${row.loginName} ${row.content} ${row.result}`),
      )
    expect(await contents({ operator: '姓名green', kind: 'add' })).toEqual(new Set(['green_admin 新增部门 1']))
    expect(await contents({ operator: 'green_ad', kind: 'delete', result: 0 })).toEqual(
      new Set(['green_admin 删除部门 0']),
    )
    expect(await contents({ organiseId: fixture.swift.id })).toEqual(new Set(['swift_admin 新增部门 1']))
    expect(await contents({ module: '部门', organiseId: fixture.swift.id })).toEqual(
      new Set(['swift_admin 新增部门 1']),
    )
    expect(await contents({ module: '没有' })).toEqual(new Set())
  })

  it('takes days as days in Shanghai, both inclusive', async () => {
    const day = shanghaiDay(3)
    const inside = [`${day} 00:00:00+08`, `${day} 23:59:59+08`]
    for (const at of inside) await entryAt(at, fixture.swift.id, `当天 ${at}`)
    await entryAt(`${shanghaiDay(4)} 23:59:59+08`, fixture.swift.id, '前一天')
    await entryAt(`${shanghaiDay(2)} 00:00:00+08`, fixture.swift.id, '后一天')
    const { rows } = await list(fixture.swift.admin, { from: day, to: day })
    expect(rows.map((row) => row.content)).toEqual(inside.toReversed().map((at) => `当天 ${at}`))
    expect(rows[1]?.at).toBe(`${day} 00:00:00`)
  })

  it('covers 31 days when no first day is given', async () => {
    await api.sql(
      `create table audit_log_older partition of audit_log for values from ('2020-01-01') to (date_trunc('month', now()) - interval '1 month')`,
    )
    await entryAt(`${shanghaiDay(30)} 12:00:00+08`, fixture.swift.id, '三十天前')
    await entryAt(`${shanghaiDay(33)} 12:00:00+08`, fixture.swift.id, '三十三天前')
    const contents = async (query: object) => (await list(fixture.swift.admin, query)).rows.map((row) => row.content)
    expect(await contents({})).toContain('三十天前')
    expect(await contents({})).not.toContain('三十三天前')
    expect(await contents({ to: shanghaiDay(10) })).toContain('三十三天前')
    expect(await contents({ from: shanghaiDay(40) })).toContain('三十三天前')
  })
})

describe('an entry', () => {
  it('shows every changed field before and after, and its link in the chain', async () => {
    const { id } = (await addDepartment(fixture.green.admin)).data
    const body = { id, name: '改名', code: `L${++serial}`, type: 2 } as const
    await api.call(fixture.green.admin.token, department.edit, { body })
    const entry = await entryOf(fixture.green.admin)
    const { data } = await detail(fixture.green.admin, entry)
    const [change] = data.changes
    expect(change).toMatchObject({ table: 'department', rowId: id })
    expect(change?.fields).toContainEqual({ name: 'name', before: '记录', after: '改名' })
    expect(change?.fields).toContainEqual({ name: 'type', before: '1', after: '2' })
    expect(data).toMatchObject({ content: '编辑部门', reason: null })
    const [row] = await api.sql("select encode(hash, 'hex') as hash, seq from audit_log where id = $1", [entry])
    expect({ hash: data.hash, seq: data.sequence }).toEqual(row)
  })

  it('shows why a request was refused', async () => {
    await api.call(fixture.green.admin.token, department.remove, { body: { id: '999999' } })
    const { data } = await detail(fixture.green.admin, await entryOf(fixture.green.admin))
    expect(data).toMatchObject({ result: 0, reason: '记录不存在或已被删除', changes: [] })
  })

  it('never shows a whole phone, e-mail or address', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'canary' })
    await api.sql("update user_account set address = '幸福路1号' where id = $1", [person.id])
    const phone = { id: person.id, phone: '13900001234', reason: '换号' }
    expect((await api.call(fixture.green.admin.token, staff.changePhone, { body: phone })).status).toBe(200)
    const moved = await detail(fixture.green.admin, await entryOf(fixture.green.admin))
    const fields = { employeeNo: 'C1', name: '金丝雀', email: 'canary@example.com' }
    const edited = await api.call(fixture.green.admin.token, staff.edit, { body: { id: person.id, ...fields } })
    expect(edited.status).toBe(200)
    const { data } = await detail(fixture.green.admin, await entryOf(fixture.green.admin))
    const shown = JSON.stringify([moved.data, data])
    for (const secret of ['13900001234', person.phone, 'canary@example.com', '幸福路'])
      expect(shown).not.toContain(secret)
    expect(data.changes[0]?.fields).toContainEqual({ name: 'email', before: null, after: 'c***@example.com' })
  })
})

describe('the rules', () => {
  it.each([
    [null, '未知'],
    ['', '未知'],
    ['127.0.0.1', '本机'],
    ['::1', '本机'],
    ['::ffff:127.0.0.1', '本机'],
    ['10.1.2.3', '内网'],
    ['172.16.0.1', '内网'],
    ['172.32.0.1', '公网'],
    ['192.168.1.1', '内网'],
    ['::ffff:192.168.1.1', '内网'],
    ['fd00::1', '内网'],
    ['8.8.8.8', '公网'],
    ['2400:3200::1', '公网'],
  ])('the address %s belongs to %s', (ip, place) => {
    expect(placeOfAddress(ip)).toBe(place)
  })

  it('mask by the name of the field, before and after', () => {
    const before = { phone: '13812345678', email: 'zhang@example.com', address: '幸福路1号', status: 1, tags: ['a'] }
    const [change] = changesForReading([{ table: 't', rowId: '1', before, after: { service_phone: '13812345678' } }])
    expect(change?.fields).toEqual([
      { name: 'phone', before: '138****5678', after: null },
      { name: 'email', before: 'z***@example.com', after: null },
      { name: 'address', before: '***', after: null },
      { name: 'status', before: '1', after: null },
      { name: 'tags', before: '["a"]', after: null },
      { name: 'service_phone', before: null, after: '138****5678' },
    ])
  })
})
