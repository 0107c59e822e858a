import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { personal } from '@wattdeck/contract/kit/personal.ts'
import { type AnyRoute, fillPath } from '@wattdeck/contract/kit/route.ts'
import { personalData } from '@wattdeck/contract/auth/personal-data.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { department } from '@wattdeck/contract/system/department.ts'
import { log } from '@wattdeck/contract/system/log.ts'
import { site } from '@wattdeck/contract/system/site.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../harness/api.ts'
import { callerOf } from '../harness/client.ts'
import { collectFailures } from './collect-failures.ts'
import { makeMember } from '../fixtures/members.ts'
import { type Actor, makePerson, makeFixture, tenantMenus, type Fixture } from '../harness/people.ts'
import { startApiProcess } from '../harness/process.ts'
import { sampleInput } from './samples.ts'

/** Plants canaries in every store of personal data; none may appear where it is not required. */
const canaries = [
  '13987654321',
  '15611112222',
  '18733334444',
  '17755556666',
  '19900001111',
  '18622223333',
  '18955557777',
]
const email = 'canary.bird@example.cn'
const address = '浙江省杭州市余杭区金丝雀路7号'
const legalPerson = '金丝雀法人'
const openId = 'oCanary7654321Bird00112233aa'
const secrets = [...canaries, email, '余杭区金丝雀路7号', legalPerson, openId]
let api: TestApi
let fixture: Fixture
let reader: Actor
let viewer: Actor
let bird: string

beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const { id, agentId, siteId, departmentId } = fixture.green
  await api.sql('update organise set phone = $2, legal_person = $3 where id = $1', [id, canaries[0], legalPerson])
  await api.sql('update agent set phone = $2 where id = $1', [agentId, canaries[1]])
  await api.sql('update site set phone = $2 where id = $1', [siteId, canaries[2]])
  await api.sql('update department set phone = $2 where id = $1', [departmentId, canaries[3]])
  await api.sql("insert into operation_area (organise_id, name, phone) values ($1, '金丝雀片区', $2)", [
    id,
    canaries[5],
  ])
  await api.sql('update user_account set phone = $2, email = $3, address = $4 where id = $1', [
    fixture.green.clerk.id,
    canaries[4],
    email,
    address,
  ])
  const { id: memberId, identityId } = await makeMember(api, { organiseId: id, phone: canaries[6] ?? '' })
  bird = memberId
  await api.sql('update member_identity set open_id = $2, union_id = $2 where id = $1', [identityId, openId])
  reader = await makePerson(api, { organiseId: id, loginName: 'green_reader', menus: tenantMenus, canUnmask: true })
  viewer = await makePerson(api, { organiseId: id, loginName: 'green_masked', menus: tenantMenus })
})

const own = (name: string) => {
  const { id, agentId, siteId, departmentId, clerk } = fixture.green
  const ids: Record<string, string> = {
    organiseId: id,
    agentId,
    siteId,
    departmentId,
    userId: clerk.id,
    roleId: clerk.roleId ?? '1',
    memberId: bird,
  }
  return ids[name] ?? '1'
}
/** The canaries that a text contains. */
const canariesIn = (text: string) => secrets.filter((secret) => text.includes(secret))
async function textOf(route: AnyRoute, token: string): Promise<string> {
  const input = sampleInput(route, ({ name }) => own(name), false)
  const search = new URLSearchParams({ ...input.query, ...('pageSize' in input.query ? { pageSize: '500' } : {}) })
  const reply = await fetch(`${api.url}${fillPath(route.path, input.params)}?${search.toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return reply.text()
}
const reading = allRoutes.filter(
  ({ route }) => route.method === 'GET' && route.encoding !== 'sse' && route.path !== '/seeker/api/personalData/value',
)

describe('a canary', () => {
  it('is not in the clear in the reply of any reading route', async () => {
    const failures = await collectFailures(
      reading,
      ({ route }) => route.path,
      async ({ route }) => {
        for (const { token } of [viewer, reader, fixture.platform.root, fixture.platform.admin])
          expect(canariesIn(await textOf(route, token))).toEqual([])
      },
      4,
    )
    expect(failures).toEqual([])
  })

  it('is masked by every class of personal field, for any output of a handler', () => {
    const values = {
      phone: canaries[0],
      idNumber: '330106199001011234',
      bankCard: '6222021234567890123',
      name: legalPerson,
    }
    for (const [of, value] of Object.entries(values)) {
      const shown = personal(of as 'phone').parse(value)
      expect(shown).toContain('*')
      expect(shown).not.toBe(value)
      expect(personal(of as 'phone').parse(shown)).toBe(shown)
    }
  })

  it('stays masked in the log of changes', async () => {
    const changed = await api.call(reader.token, site.edit, {
      body: { id: fixture.green.siteId, name: '站点green', type: 1, phone: '13612341234' } as never,
    })
    expect(changed.status).toBe(200)
    const { data } = await api.call(reader.token, log.list, { query: { module: '站点管理' } as never })
    const detail = await textOfDetail(data.rows[0]?.id ?? '')
    expect(detail).toContain('136****1234')
    expect(canariesIn(detail)).toEqual([])
    expect(detail).not.toContain('13612341234')
    await api.sql('update site set phone = $2 where id = $1', [fixture.green.siteId, canaries[2]])
  })

  it('is not found by parts of it', async () => {
    for (const keyword of ['7654321', '1398765'])
      expect((await api.call(reader.token, staff.list, { query: { keyword } as never })).data.rows).toEqual([])
  })

  it('is not repeated in a refusal', async () => {
    const duplicate = await api.call(reader.token, staff.add, {
      body: { employeeNo: 'C1', name: '重号', loginName: 'canary_dup', phone: canaries[4] } as never,
    })
    expect(duplicate.status).toBe(409)
    expect(canariesIn(duplicate.message)).toEqual([])
    const wrong = await api.call(reader.token, department.add, {
      body: { name: 'x', code: 'C', type: 9, phone: canaries[3] } as never,
    })
    expect(wrong.status).toBe(422)
    expect(canariesIn(wrong.message)).toEqual([])
  })
})

const textOfDetail = async (id: string) =>
  JSON.stringify((await api.call(reader.token, log.detail, { params: { id } })).data)

describe('the log lines of the api', () => {
  it('contain no canary for any request, payload or failure', async () => {
    const started = await startApiProcess(api.config, { LOG_LEVEL: 'trace' })
    const { url } = started
    const call = callerOf(url)
    await call(reader.token, staff.list, { query: { keyword: canaries[4] } as never })
    await call(reader.token, staff.add, {
      body: { employeeNo: 'L1', name: '日志', loginName: 'canary_log', phone: canaries[4] } as never,
    })
    await call(reader.token, site.edit, {
      body: { id: fixture.green.siteId, name: 'x', type: 1, phone: canaries[2] } as never,
    })
    await fetch(`${url}${site.edit.path}`, {
      method: 'POST',
      body: `phone=${canaries[2]}&%`,
      headers: { authorization: `Bearer ${reader.token}`, 'content-type': 'application/x-www-form-urlencoded' },
    })
    await fetch(`${url}/seeker/api/unknown?phone=${canaries[0]}`)
    await reveal(reader.token, 'phone', '核对身份', call)
    await started.stop()
    const lines = started.output()
    expect(lines.split('\n').length).toBeGreaterThan(4)
    expect(canariesIn(lines)).toEqual([])
  })
})

const reveal = (token: string, field: string, reason: string, call = api.call) =>
  call(token, session.verifyPermissions, {
    params: { userId: reader.id },
    body: { kind: 'user', rowId: fixture.green.clerk.id, field, reason },
  })
const read = (token: string, field = 'phone') =>
  api.call(token, personalData.read, { query: { kind: 'user', rowId: fixture.green.clerk.id, field } })
const revealRows = () =>
  api.sql<{ content: string }>(
    'select content from audit_log where user_id = $1 and module = \'敏感信息\' and result = 1 and changes @> \'[{"table": "personal_reveal"}]\'',
    [reader.id],
  )

describe('a reveal', () => {
  it('shows one value for half a minute, to an authorised caller only', async () => {
    await api.sql("update personal_reveal set expires_at = now() - interval '1 second'")
    expect((await read(reader.token)).status).toBe(403)
    expect((await reveal(reader.token, 'phone', '联系客户')).data).toBe(true)
    const { data } = await read(reader.token)
    expect(data.value).toBe(canaries[4])
    expect(data.seconds).toBeLessThanOrEqual(30)
    expect((await read(reader.token, 'email')).status).toBe(403)
    expect((await read(viewer.token)).status).toBe(403)
    await api.sql("update personal_reveal set expires_at = now() - interval '1 second'")
    expect((await read(reader.token)).status).toBe(403)
  })

  it('requires the permission, a reason, a row in scope and a personal field', async () => {
    const by = (token: string, userId: string, body: object) =>
      api.call(token, session.verifyPermissions, { params: { userId }, body: body as never })
    const fields = { kind: 'user', rowId: fixture.green.clerk.id, field: 'phone', reason: '核对身份' }
    expect((await by(viewer.token, viewer.id, fields)).status).toBe(403)
    expect((await by(reader.token, reader.id, { ...fields, reason: ' ' })).status).toBe(422)
    expect((await by(reader.token, reader.id, { kind: 'user', rowId: '1', field: 'phone' })).status).toBe(422)
    expect((await by(reader.token, reader.id, { ...fields, field: 'passwordHash' })).status).toBe(422)
    expect((await by(reader.token, reader.id, { ...fields, rowId: fixture.swift.clerk.id })).status).toBe(404)
    expect((await by(reader.token, viewer.id, fields)).status).toBe(404)
  })

  it('writes one log entry with its reason, and is refused from the fifty-first of a day', async () => {
    const before = (await revealRows()).length
    for (let count = before; count < 50; count++)
      expect((await reveal(reader.token, 'email', `第${count}次核对`)).status).toBe(200)
    const refused = await reveal(reader.token, 'phone', '还想再看')
    expect(refused).toMatchObject({ status: 429, message: '今日查看明文次数已达上限（50次）' })
    const rows = await revealRows()
    expect(rows).toHaveLength(50)
    expect(rows.some(({ content }) => content.includes('原因：第49次核对'))).toBe(true)
    await api.sql("update personal_reveal set created_at = created_at - interval '1 day'")
    expect((await reveal(reader.token, 'phone', '第二天联系')).status).toBe(200)
  })

  it('grants the fiftieth to only one of two concurrent calls', async () => {
    await api.sql('delete from personal_reveal')
    await api.sql(
      `insert into personal_reveal (organise_id, user_id, kind, row_id, field, reason, expires_at)
       select $1, $2, 'user', 1, 'phone', '占位', now() from generate_series(1, 49)`,
      [fixture.green.id, reader.id],
    )
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () => reveal(reader.token, 'phone', '同时查看').then((reply) => reply.status)),
    )
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 429, 429, 429, 429, 429])
  })
})
