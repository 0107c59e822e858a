import { login } from '@wattdeck/contract/auth/login.ts'
import { notification } from '@wattdeck/contract/auth/notification.ts'
import { staff } from '@wattdeck/contract/system/staff.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSandbox } from '../../../sms-sandbox/src/sandbox.ts'
import type { Message } from '../../../sms-sandbox/src/inbox-page.ts'
import { startWorker } from '../../src/app/worker.ts'
import { AliyunSms } from '../../src/integrations/aliyun-sms.ts'
import { sha256 } from '../../src/kit/auth/tokens.ts'
import { startApi, type TestApi } from '../harness/api.ts'
import { listen } from '../harness/listen.ts'
import { makePerson, makeRole, makeFixture, openSession, type Fixture } from '../harness/people.ts'
import { until } from '../harness/until.ts'

/** The api, a worker, the bus and the SMS emulator together, as they run in production. */
const sms = { accessKeyId: 'test-key', accessKeySecret: 'test-secret', signName: '测试' }
const sandbox = buildSandbox({ [sms.accessKeyId]: sms.accessKeySecret })
let api: TestApi
let fixture: Fixture
let worker: Awaited<ReturnType<typeof startWorker>>
let endpoint: string

beforeAll(async () => {
  endpoint = await sandbox.listen({ port: 0, host: '127.0.0.1' })
  api = await startApi({ sms: { ...sms, endpoint } })
  fixture = await makeFixture(api)
  worker = await startWorker(api.config, pino({ level: 'silent' }))
})
afterAll(async () => {
  await worker.stop()
  await sandbox.close()
})

const inbox = async (phone: string) => {
  const messages = (await (await fetch(`${endpoint}/inbox.json`)).json()) as Message[]
  return messages.find((message) => message.phone === phone)
}

async function askForCode(phone: string) {
  const { data } = await api.call(undefined, login.captcha)
  const [row] = await api.sql<{ answer: string }>('select answer from captcha where id = $1', [data.captchaId])
  return api.call(undefined, login.sendSmsCode, {
    body: { phone, purpose: 'login', captchaId: data.captchaId, captchaCode: row?.answer ?? '' },
  })
}

describe('a text message', () => {
  it('is sent signed, logs in with its code, and leaves no code behind', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'texted', menus: ['2'] })
    expect((await askForCode(person.phone)).status).toBe(200)
    const message = await until(() => inbox(person.phone))
    expect(message).toMatchObject({ template: 'SMS_LOGIN', signName: '测试' })
    expect(
      (await api.call(undefined, login.bySms, { body: { phone: person.phone, code: message.params['code'] ?? '' } }))
        .data.stage,
    ).toBe('full')
    const [row] = await until(async () => {
      const rows = await api.sql<{ status: number; params: unknown; provider_id: string }>(
        'select status, params, provider_id from sms_message where phone = $1',
        [person.phone],
      )
      return rows[0]?.status === 1 ? rows : undefined
    })
    expect(row?.params).toBeNull()
    expect(row?.provider_id).not.toBe('')
  })

  it('is retried when the provider is busy, and abandoned when it is refused', async () => {
    const busy = await makePerson(api, { organiseId: fixture.green.id, loginName: 'texted_busy' })
    await fetch(`${endpoint}/behave/throttle`, { method: 'POST' })
    await askForCode(busy.phone)
    // The provider has refused the first attempt.
    await until(async () => (await api.sql("select from pgboss.job where name = 'sms.send' and state = 'retry'"))[0])
    await fetch(`${endpoint}/behave/ok`, { method: 'POST' })
    expect(await until(() => inbox(busy.phone))).toBeDefined()

    const refusedOne = await makePerson(api, { organiseId: fixture.green.id, loginName: 'texted_refused' })
    await fetch(`${endpoint}/behave/refuse`, { method: 'POST' })
    await askForCode(refusedOne.phone)
    const [row] = await until(async () => {
      const rows = await api.sql<{ status: number; error: string }>(
        'select status, error from sms_message where phone = $1 and status = 2',
        [refusedOne.phone],
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(row?.error).toContain('isv.BUSINESS_LIMIT_CONTROL')
    await fetch(`${endpoint}/behave/ok`, { method: 'POST' })
  })

  it('signed with another key is refused by the provider', async () => {
    const forged = await new AliyunSms({ ...sms, accessKeySecret: 'guessed', endpoint }).send(
      '13800000000',
      'SMS_LOGIN',
      { code: '1' },
    )
    expect(forged.sent).toBe(false)
    expect(JSON.stringify(forged)).toContain('SignatureDoesNotMatch')
  })
})

const job = { id: '7', title: '批量启用', status: 1, total: 10, done: 3, failed: 0 }
/** A later event of the same stream: an event missing when it arrives was never sent. */
async function publishJob(organiseId: string, streams: ReturnType<typeof listen>[]) {
  await api.sql('insert into outbox (organise_id, subject, payload) values ($1, $2, $3)', [
    organiseId,
    `live.${organiseId}.all`,
    JSON.stringify({ kind: 'job', job }),
  ])
  for (const { events } of streams) await until(() => events.find((event) => event.kind === 'job'))
}

describe('the live stream', () => {
  it('publishes a change to all persons of the organisation and of the platform, and to no other', async () => {
    const { admin, agent, clerk } = fixture.green
    const open = (people: { id: string }[]) =>
      Promise.all(people.map(async ({ id }) => listen(api.url, await openSession(api, id))))
    const own = await open([admin, agent, fixture.platform.root])
    const foreign = await open([fixture.swift.admin, fixture.swift.site])
    const kindsOf = (stream: ReturnType<typeof listen>) => stream.events.map((event) => event.kind)
    for (const stream of [...own, ...foreign]) await until(() => (kindsOf(stream).includes('hello') ? true : undefined))
    const edit = (name: string) =>
      api.call(admin.token, staff.edit, { body: { id: clerk.id, employeeNo: 'green_clerk', name } })
    const edits = 6
    for (let n = 0; n < edits; n++) expect((await edit(`更名${n}`)).status).toBe(200)
    await publishJob(fixture.green.id, own)
    for (const { events } of own) {
      const changes = events.slice(1).filter((event) => event.kind !== 'job')
      expect(changes.length).toBeGreaterThan(0)
      expect(changes.length).toBeLessThanOrEqual(edits)
      for (const change of changes) expect(change).toEqual({ kind: 'changed', list: 'staff' })
    }
    await publishJob(fixture.swift.id, foreign)
    for (const stream of foreign) expect(kindsOf(stream)).toEqual(['hello', 'job'])
    for (const { stop } of [...own, ...foreign]) stop()
  })

  it('notifies only the person whose roles changed', async () => {
    const { admin, clerk } = fixture.green
    const mine = listen(api.url, await openSession(api, clerk.id))
    const theirs = listen(api.url, await openSession(api, fixture.swift.clerk.id))
    await Promise.all([mine.opened, theirs.opened])
    await until(async () => mine.events.find((event) => event.kind === 'hello'))
    await until(async () => theirs.events.find((event) => event.kind === 'hello'))
    const roleId = await makeRole(api, { organiseId: fixture.green.id, loginName: 'live_role', menus: ['2'] })
    expect((await api.call(admin.token, staff.assignRoles, { body: { id: clerk.id, roleIds: [roleId] } })).status).toBe(
      200,
    )
    const eventOf = (kind: string) => until(async () => mine.events.find((event) => event.kind === kind))
    expect(await eventOf('notice')).toMatchObject({ notice: { title: '权限变更', read: false } })
    await eventOf('rights')
    await publishJob(fixture.swift.id, [theirs])
    expect(theirs.events.map((event) => event.kind)).toEqual(['hello', 'job'])
    mine.stop()
    theirs.stop()
    const list = await api.call(await openSession(api, clerk.id), notification.list)
    expect(list.data).toMatchObject({ unreadCount: 1, rows: [{ title: '权限变更' }] })
  })

  it('notifies a person of changed roles also when the event of the change was lost', async () => {
    const roleId = await makeRole(api, { organiseId: fixture.green.id, loginName: 'lost_role', menus: ['2'] })
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'live_lost' })
    const stream = listen(api.url, person.token)
    await stream.opened
    await until(async () => stream.events.find((event) => event.kind === 'hello'))
    await api.sql('insert into user_role (user_id, role_id, organise_id) values ($1, $2, $3)', [
      person.id,
      roleId,
      fixture.green.id,
    ])
    await until(async () => stream.events.find((event) => event.kind === 'rights'))
    expect(stream.ended()).toBe(false)
    stream.stop()
  })

  it('notifies an open console that its session has ended', async () => {
    const person = await makePerson(api, { organiseId: fixture.green.id, loginName: 'live_ended' })
    const stream = listen(api.url, person.token)
    await stream.opened
    await until(async () => stream.events.find((event) => event.kind === 'hello'))
    await api.call(fixture.green.admin.token, staff.toggle, { body: { ids: [person.id], status: 0 } })
    expect(await until(async () => stream.events.find((event) => event.kind === 'revoked'))).toBeDefined()
    stream.stop()
  })

  it('does not end a session that was opened after the others of the person ended', async () => {
    const { id: organiseId } = fixture.swift
    const person = await makePerson(api, { organiseId, loginName: 'live_again' })
    const streams = { old: listen(api.url, person.token), fresh: listen(api.url, await openSession(api, person.id)) }
    for (const { opened } of Object.values(streams)) await opened
    await api.sql('update session set ended_at = now() where token_hash = $1', [sha256(person.token)])
    await api.sql('insert into outbox (organise_id, subject, payload) values ($1, $2, $3)', [
      organiseId,
      `live.${organiseId}.user.${person.id}`,
      JSON.stringify({ kind: 'revoked' }),
    ])
    await until(async () => streams.old.events.find((event) => event.kind === 'revoked'))
    await publishJob(organiseId, [streams.fresh])
    expect(streams.fresh.events.map((event) => event.kind)).toEqual(['hello', 'job'])
    streams.fresh.stop()
  })

  it('carries no end of a session to a whole organisation, whichever process publishes it', async () => {
    // No test changes a list of this organisation.
    const { id: organiseId, admin } = fixture.swift
    const stream = listen(api.url, await openSession(api, admin.id))
    await stream.opened
    await until(async () => stream.events.find((event) => event.kind === 'hello'))
    for (const payload of [{ kind: 'revoked' }, { kind: 'rights' }, { nonsense: 1 }, 'text'])
      await api.sql('insert into outbox (organise_id, subject, payload) values ($1, $2, $3)', [
        organiseId,
        `live.${organiseId}.all`,
        JSON.stringify(payload),
      ])
    await publishJob(organiseId, [stream])
    expect(stream.events.at(-1)).toEqual({ kind: 'job', job })
    expect(stream.events.map((event) => event.kind)).toEqual(['hello', 'job'])
    stream.stop()
  })
})
