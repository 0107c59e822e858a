import { notification, popupType } from '@wattdeck/contract/auth/notification.ts'
import { describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { type Actor, makePerson, makeFixture } from '../../../../test/harness/people.ts'

const api = await startApi()
const fixture = await makeFixture(api)

const notice = async (to: Actor, title: string) =>
  (
    await api.sql<{ id: string }>(
      `insert into notification (organise_id, agent_id, site_id, user_id, type, title, body)
       select organise_id, agent_id, site_id, id, 0, $2, '内容' from user_account where id = $1 returning id`,
      [to.id, title],
    )
  )[0]?.id ?? ''
const list = async (who: Actor, query: object = {}) => (await api.call(who.token, notification.list, { query })).data
const markRead = (who: Actor, ids?: string[]) =>
  api.call(who.token, notification.markRead, { body: ids === undefined ? {} : { ids } })
const unread = async () =>
  (await api.sql<{ title: string }>('select title from notification where read_at is null')).map((row) => row.title)

describe('a stranger', () => {
  it.each(['admin', 'agent'] as const)(
    'as %s neither reads nor marks notifications of another person',
    async (name) => {
      const id = await notice(fixture.swift.clerk, `只给他看 ${name}`)
      for (const who of [fixture.green[name], fixture.swift[name], fixture.platform.root]) {
        expect(await list(who)).toMatchObject({ total: 0, unreadCount: 0, rows: [] })
        expect((await markRead(who, [id])).status).toBe(404)
        expect((await markRead(who)).status).toBe(200)
      }
      expect(await unread()).toContain(`只给他看 ${name}`)
    },
  )
})

describe('own notifications', () => {
  it('come newest first, with the number of unread ones', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'reads' })
    const [first, second] = [await notice(who, '第一'), await notice(who, '第二')]
    const page = await list(who, { pageSize: 1 })
    expect(page).toMatchObject({ total: 2, unreadCount: 2, rows: [{ id: second, title: '第二', read: false }] })
    expect((await list(who, { unread: true })).rows.map((row) => row.id)).toEqual([second, first])
  })

  it('are marked one by one or all at once, and keep the time of the first read', async () => {
    const who = await makePerson(api, {
      organiseId: fixture.green.id,
      loginName: 'marks',
      agentId: fixture.green.agentId,
    })
    const [first] = [await notice(who, '第一'), await notice(who, '第二')]
    expect((await markRead(who, [first])).status).toBe(200)
    expect(await list(who)).toMatchObject({ unreadCount: 1, rows: [{ read: false }, { read: true }] })
    expect((await list(who, { unread: true })).rows).toHaveLength(1)
    const readAt = () => api.sql('select read_at from notification where id = $1', [first])
    const before = await readAt()
    expect((await markRead(who, [first])).status).toBe(200)
    expect((await markRead(who)).status).toBe(200)
    expect(await readAt()).toEqual(before)
    expect((await list(who)).unreadCount).toBe(0)
  })

  it('are not marked at all if one id belongs to another person', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'mixes' })
    const [own, foreign] = [await notice(who, '自己的'), await notice(fixture.green.clerk, '别人的')]
    expect((await markRead(who, [own, foreign])).status).toBe(404)
    expect(await unread()).toEqual(expect.arrayContaining(['自己的', '别人的']))
  })
})

const preferences = async (who: Actor) =>
  new Map((await api.call(who.token, notification.preferences)).data.map(({ type, popup }) => [type, popup]))
const prefer = (who: Actor, type: 0 | 1 | 2 | 3 | 4 | 5 | 6, popup: boolean) =>
  api.call(who.token, notification.savePreference, { body: { type, popup } })

describe('preferences', () => {
  it('belong to one person, also within one organisation', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'prefers' })
    expect((await prefer(who, 6, false)).status).toBe(200)
    expect((await preferences(who)).get(6)).toBe(false)
    for (const other of [fixture.green.admin, fixture.swift.admin, fixture.platform.root])
      expect([...(await preferences(other)).values()]).toEqual(popupType.options.map(() => true))
  })

  it.each(['admin', 'agent', 'site'] as const)('of a person as %s can be changed and changed back', async (name) => {
    const who = fixture.green[name]
    for (const popup of [false, false, true]) {
      expect((await prefer(who, 2, popup)).status).toBe(200)
      expect((await preferences(who)).get(2)).toBe(popup)
    }
  })

  it('never disable a platform warning', async () => {
    expect(await prefer(fixture.green.admin, 3, false)).toMatchObject({ status: 422, message: '平台预警不能关闭弹窗' })
    expect((await prefer(fixture.green.admin, 3, true)).status).toBe(200)
    expect((await preferences(fixture.green.admin)).get(3)).toBe(true)
  })

  it('are logged as a change by the person', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'logged_choice' })
    await prefer(who, 1, false)
    const rows = await api.sql<{ kind: string; changes: { table: string; after: object }[] }>(
      "select kind, changes from audit_log where user_id = $1 and content = '修改通知设置'",
      [who.id],
    )
    expect(rows).toMatchObject([
      { kind: 'own', changes: [{ table: 'notification_preference', after: { type: 1, popup: false } }] },
    ])
  })

  it('change the popups, not the stored notifications', async () => {
    const who = await makePerson(api, { organiseId: fixture.green.id, loginName: 'keeps_all' })
    await prefer(who, 0, false)
    await notice(who, '仍在抽屉中')
    expect(await list(who)).toMatchObject({ total: 1, unreadCount: 1 })
  })
})
