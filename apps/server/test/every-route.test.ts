import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { type AnyRoute, envelope, fillPath, refusedEnvelope } from '@wattdeck/contract/kit/route.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAlarm, makeIncident, makeTicket } from './alarms.ts'
import { startApi, type TestApi } from './api.ts'
import { catalogueFeatures, catalogueFields, makeCatalogue } from './catalogue-rows.ts'
import { makeModels, makeDevice } from './devices.ts'
import { makeCredential } from './credentials.ts'
import { makeCode } from './qr-rows.ts'
import { plantOrder } from './orders.ts'
import { makePerson, makeWorld, openSession, tenantMenus, type Actor, type World } from './people.ts'
import { fieldsOf, hostile, isId, sampleInput, type Field, type Input } from './samples.ts'

/** What must hold for every route there is. A new route is covered by being in the contract. */
let api: TestApi
let world: World
let viewer: Actor
/** Rows of each organisation by kind; ids never repeat between tables, so a foreign id means one row only. */
let ids: Record<'green' | 'swift', Record<string, string>>

const guarded = allRoutes.filter(({ route }) => route.access !== 'public')
const byMenu = allRoutes.filter(({ route }) => typeof route.access === 'object')
const answering = allRoutes.filter(({ route }) => route.encoding !== 'sse')
const nameOf = ({ route }: { route: AnyRoute }) => `${route.method} ${route.path}`

beforeAll(async () => {
  api = await startApi()
  const sequences = await api.sql<{ seq: string }>(
    "select quote_ident(sequence_schema) || '.' || quote_ident(sequence_name) as seq from information_schema.sequences where sequence_schema = 'public'",
  )
  for (const [place, { seq }] of sequences.entries())
    await api.sql(`alter sequence ${seq} restart with ${(place + 1) * 1_000_000}`)
  world = await makeWorld(api)
  viewer = await makePerson(api, {
    organiseId: world.green.id,
    loginName: 'green_viewer',
    menus: tenantMenus,
    actions: false,
  })
  const models = await makeModels(api)
  const rowsOf = async (name: 'green' | 'swift') => {
    const { id, agentId, siteId, departmentId, admin, clerk } = world[name]
    const [notice] = await api.sql<{ id: string }>(
      'insert into notification (organise_id, user_id, type, title, body) values ($1, $2, 0, $3, $3) returning id',
      [id, clerk.id, `通知${name}`],
    )
    const [audit] = await api.sql<{ id: string }>(
      "select set_config('app.scope_level', '0', false), set_config('app.organise_id', '0', false), set_config('app.agent_ids', '{}', false), set_config('app.site_ids', '{}', false), app.audit_append(jsonb_build_object('organise_id', $1::bigint, 'user_id', $2::bigint, 'user_name', $3::text, 'login_name', $3::text, 'module', 'm', 'kind', 'edit', 'content', 'c', 'path', '/', 'duration_ms', 1, 'result', 1, 'request_id', 'r')) as id",
      [id, admin.id, `名${name}`],
    )
    const objectKey = `picture/${id}/${crypto.randomUUID()}`
    await api.deps.files.put(objectKey, Buffer.from(`bytes of ${name}`))
    const [picture] = await api.sql<{ id: string }>(
      `insert into stored_file (organise_id, user_id, kind, object_key, name, type, bytes, width, height, attached)
       values ($1, $2, 'picture', $3, $4, 'image/webp', 1, 1, 1, true) returning id`,
      [id, clerk.id, objectKey, `${name}.webp`],
    )
    const [view] = await api.sql<{ id: string }>(
      `insert into saved_view (organise_id, user_id, list_key, name, query, shared, created_by)
       values ($1, $2, '/seeker/api/employee/pageList', $3, 'status=1', true, $3) returning id`,
      [id, admin.id, `视图${name}`],
    )
    const [help] = await api.sql<{ id: string }>(
      "insert into help_document (type, title, body) values (1, $1, '草稿') returning id",
      [`草稿${name}`],
    )
    const [area] = await api.sql<{ id: string }>(
      'insert into operation_area (organise_id, name) values ($1, $2) returning id',
      [id, `区域${name}`],
    )
    const device = await makeDevice(api, {
      organiseId: id,
      agentId: world[name].subAgentId,
      siteId,
      typeId: models.mqtt,
      name: `设备${name}`,
    })
    const alarm = await makeAlarm(api, device)
    const place = { organiseId: id, agentId: world[name].subAgentId, siteId }
    const code = await makeCode(api, { ...place, deviceId: device })
    return {
      device,
      ...(await plantOrder(api, device, name)),
      alarm,
      incident: await makeIncident(api, id, `事件${name}`),
      ticket: await makeTicket(api, device),
      code: code.id,
      credential: await makeCredential(api, device),
      organise: id,
      agent: agentId,
      site: siteId,
      department: departmentId,
      user: clerk.id,
      role: clerk.roleId ?? '',
      notification: notice?.id ?? '',
      log: audit?.id ?? '',
      file: picture?.id ?? '',
      savedView: view?.id ?? '',
      helpDocument: help?.id ?? '',
      operationArea: area?.id ?? '',
    }
  }
  // The catalogue is everybody's, so none of it is foreign.
  ids = { green: { ...(await rowsOf('green')), ...(await makeCatalogue(api)) }, swift: await rowsOf('swift') }
})

/** Which kind of row a field means, by its name and its feature. */
function kindOf(feature: string, { name }: Field): string {
  const named: Record<string, string> = {
    organiseId: 'organise',
    agentId: 'agent',
    parentAgentId: 'agent',
    siteId: 'site',
    siteIds: 'site',
    departmentId: 'department',
    roleId: 'role',
    roleIds: 'role',
    userId: 'user',
    userIds: 'user',
    licenceFileId: 'file',
    pictureId: 'file',
    ...catalogueFields,
    deviceId: 'device',
    alarmId: 'alarm',
    memberId: 'member',
    orderNo: 'order',
    incidentId: 'incident',
    assigneeId: 'user',
    pictureIds: 'file',
  }
  const features: Record<string, string> = {
    department: 'department',
    role: 'role',
    staff: 'user',
    log: 'log',
    notification: 'notification',
    file: 'file',
    ownership: 'site',
    organise: 'organise',
    operatorInfo: 'agent',
    site: 'site',
    savedView: 'savedView',
    helpDocument: 'helpDocument',
    userMaintenance: 'user',
    operationArea: 'operationArea',
    ...catalogueFeatures,
    deviceManage: 'device',
    deviceDetail: 'device',
    alarmCenter: 'alarm',
    repairTicket: 'ticket',
    qrCodeManage: 'code',
    deviceAuth: 'credential',
    consumeOrder: 'order',
    completedOrder: 'order',
    unfinishedOrder: 'order',
    orderReview: 'order',
    chargingOrder: 'order',
  }
  return named[name] ?? features[feature] ?? 'menu'
}

async function send(route: AnyRoute, token: string | undefined, input: Input) {
  const form = new URLSearchParams(input.body).toString()
  const json = route.encoding === 'json'
  const search = new URLSearchParams(input.query).toString()
  const response = await api.app.inject({
    method: route.method,
    url: fillPath(route.path, input.params) + (search === '' ? '' : `?${search}`),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(route.method === 'POST'
        ? {
            'idempotency-key': crypto.randomUUID(),
            'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
          }
        : {}),
    },
    ...(route.method === 'POST' && route.encoding !== 'multipart'
      ? { payload: json ? JSON.stringify(input.body) : form }
      : {}),
  })
  return { status: response.statusCode, text: response.body }
}

// Only of what the caller sent can fields be named.
const plainRefusal = refusedEnvelope.omit({ fields: true })
function expectContract(route: AnyRoute, reply: { status: number; text: string }) {
  // The bytes of a file are no envelope; a refusal to give them is one.
  if (route.reply === 'file' && reply.status === 200) return expect(reply.text).not.toContain('"success"')
  const refused = reply.status === 422 ? refusedEnvelope : plainRefusal
  const schema = reply.status === 200 ? envelope(route.data) : refused
  const parsed = schema.safeParse(JSON.parse(reply.text))
  return expect(
    parsed.error?.issues ?? [],
    `${route.path} answered ${reply.status} ${reply.text.slice(0, 200)}`,
  ).toEqual([])
}

const ownIds = (feature: string) => (field: Field) => ids.green[kindOf(feature, field)] ?? '1'

describe('who may call', () => {
  it.each(guarded.map((one) => [nameOf(one), one] as const))(
    '%s refuses the anonymous',
    async (_, { feature, route }) => {
      for (const token of [undefined, 'x'.repeat(43), 'Bearer', '']) {
        const reply = await send(route, token, sampleInput(route, ownIds(feature)))
        expect(reply.status).toBe(401)
        expectContract(route, reply)
      }
    },
  )

  it.each(byMenu.map((one) => [nameOf(one), one] as const))(
    '[valid.no-permission] %s refuses who lacks its menu or its action',
    async (_, { feature, route }) => {
      const reply = await send(route, world.green.nobody.token, sampleInput(route, ownIds(feature)))
      expect({ status: reply.status, message: (JSON.parse(reply.text) as { message: string }).message }).toEqual({
        status: 403,
        message: '您没有该操作的权限',
      })
      if (typeof route.access === 'object' && route.access.action !== undefined) {
        expect((await send(route, viewer.token, sampleInput(route, ownIds(feature)))).status).toBe(403)
      }
    },
  )

  it.each(guarded.filter(({ route }) => route.access !== 'partial').map((one) => [nameOf(one), one] as const))(
    '%s refuses a session that owes its second factor',
    async (_, { feature, route }) => {
      const token = await openSession(api, world.platform.root.id, 'secondFactor')
      expect((await send(route, token, sampleInput(route, ownIds(feature)))).status).toBe(401)
    },
  )
})

/** Everything that belongs to one organisation, as one line a table. */
async function rowsOfOrganise(organiseId: string): Promise<string[]> {
  const tables = await api.sql<{
    name: string
  }>(`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'organise_id' order by 1`)
  expect(tables.length).toBeGreaterThan(10)
  const select = (table: string, column: string) =>
    `select '${table} ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') || count(*) as line from ${table} t where t.${column} = ${organiseId}`
  const parts = [...tables.map(({ name }) => select(name, 'organise_id')), select('organise', 'id')]
  return (await api.sql<{ line: string }>(parts.join(' union all '))).map(({ line }) => line)
}

describe('another organisation', () => {
  const callers = ['admin', 'agent', 'subAgent', 'site'] as const

  it.each(
    answering
      .filter(({ route }) => route.access !== 'public' && route.path !== '/seeker/api/logout')
      .map((one) => [nameOf(one), one] as const),
  )(
    '%s neither shows nor changes it, whichever id is sent in whichever place',
    { timeout: 30_000 },
    async (_, { feature, route }) => {
      const before = await rowsOfOrganise(world.swift.id)
      const places = fieldsOf(route).filter(isId)
      for (const caller of callers) {
        const { token } = world.green[caller]
        const inputs: Input[] = [sampleInput(route, ownIds(feature), false)]
        for (const field of places) {
          for (const foreign of Object.values(ids.swift)) {
            for (const optional of [true, false]) {
              const input = sampleInput(route, ownIds(feature), optional)
              input[field.place][field.name] = foreign
              inputs.push(input)
            }
          }
        }
        for (const input of inputs) {
          const reply = await send(route, token, input)
          expect(reply.text, `${caller} ${JSON.stringify(input)}`).not.toContain('swift')
          expect(reply.status).toBeLessThan(500)
          expectContract(route, reply)
        }
      }
      expect(await rowsOfOrganise(world.swift.id)).toEqual(before)
    },
  )
})

describe('hostile input', () => {
  it.each(answering.map((one) => [nameOf(one), one] as const))(
    '%s takes 250 of them without a fault of its own',
    { timeout: 30_000 },
    async (_, { feature, route }) => {
      const fields = fieldsOf(route)
      await api.sql('update menu set status = 1')
      await api.sql('update resource set status = 1')
      const token = await openSession(api, world.platform.root.id)
      const statuses = new Map<number, number>()
      const note = (reply: { status: number; text: string }, what: string) => {
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
        if (reply.text.startsWith('{')) expectContract(route, reply)
      }
      let sent = 0
      const targets: (Field | { place: 'query' | 'body'; name: string })[] =
        fields.length > 0 ? fields : [{ place: route.method === 'GET' ? 'query' : 'body', name: 'unknown' }]
      for (let round = 0; sent < 230; round++) {
        for (const field of targets) {
          const value = hostile[(round * 7 + sent) % hostile.length] ?? ''
          const input = sampleInput(route, ownIds(feature), round % 2 === 0)
          input[field.place][field.name] =
            field.place === 'params' && (value === '' || !value.isWellFormed()) ? ' ' : value
          note(await send(route, token, input), `${field.place}.${field.name}=${JSON.stringify(value).slice(0, 60)}`)
          sent++
        }
      }
      for (const payload of rawPayloads) {
        const reply = await api.app.inject({
          method: route.method,
          url: fillPath(route.path, sampleInput(route, ownIds(feature)).params) + payload.search,
          headers: {
            authorization: `Bearer ${token}`,
            'idempotency-key': crypto.randomUUID(),
            ...(route.method === 'POST' ? { 'content-type': payload.type } : {}),
          },
          ...(route.method === 'POST' ? { payload: payload.body } : {}),
        })
        note({ status: reply.statusCode, text: reply.body }, JSON.stringify(payload))
        sent++
      }
      expect(sent).toBeGreaterThanOrEqual(250)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const rawPayloads = [
  { type: form, body: 'id=1&id=2', search: '?pageNum=1&pageNum=2' },
  { type: form, body: '__proto__=1&__proto__[polluted]=1', search: '?__proto__[polluted]=1' },
  { type: form, body: 'constructor.prototype.polluted=1', search: '?constructor=1' },
  {
    type: form,
    body: Array.from({ length: 300 }, (_, place) => `k${place}=1`).join('&'),
    search: `?${Array.from({ length: 300 }, (_, place) => `k${place}=1`).join('&')}`,
  },
  { type: form, body: 'id=%', search: '?q=%' },
  { type: form, body: 'id=%C0%AF', search: '?q=%C0%AF' },
  { type: form, body: 'roleTopLevel=0&userType=1&organiseId=1', search: '?roleTopLevel=0' },
  { type: form, body: 'a'.repeat(20_000), search: '' },
  { type: json, body: '{"__proto__":{"polluted":1}}', search: '?a[]=1' },
  { type: json, body: '{"id":{"$gt":""}}', search: '?a[b]=1' },
  { type: json, body: '[1,2,3]', search: '' },
  { type: json, body: 'null', search: '' },
  { type: json, body: '"text"', search: '' },
  { type: json, body: '{', search: '' },
  { type: json, body: '{"amount":1e999}', search: '' },
  { type: json, body: `${'['.repeat(5000)}${']'.repeat(5000)}`, search: '' },
  { type: 'text/plain', body: 'id=1', search: '' },
  { type: 'application/xml', body: '<a/>', search: '' },
  {
    type: 'multipart/form-data; boundary=x',
    body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nnot a picture\r\n--x--\r\n',
    search: '',
  },
  { type: 'multipart/form-data', body: 'no boundary', search: '' },
]
