import { personalData } from '@wattdeck/contract/auth/personal-data.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { blacklist, blockList } from '@wattdeck/contract/member/blacklist.ts'
import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { describe, expect, it } from 'vitest'
import { makeCard } from '../../../../test/fixtures/cards.ts'
import { sheetOf, titlesOf } from '../../../../test/fixtures/export-sheet.ts'
import { makeBlock, makeMember } from '../../../../test/fixtures/members.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture, makePerson, tenantMenus } from '../../../../test/harness/people.ts'

const api = await startApi()
const { green, swift, platform } = await makeFixture(api)
const { token } = green.admin

const add = (by: string, body: object) =>
  api.call(by, blacklist.add, { body: { scope: 3, reason: '恶意占位', ...body } as never })
const lift = (by: string, id: string) => api.call(by, blacklist.lift, { body: { id, reason: '已沟通' } })
const rows = async (by: string, query: object = {}) =>
  (await api.call(by, blacklist.list, { query: query as never })).data.rows
const idsOf = async (by: string, query: object = {}) => (await rows(by, query)).map(({ id }) => id)
const memberOfSite = (more: { nickname?: string; phone?: string } = {}) =>
  makeMember(api, { organiseId: green.id, agentId: green.subAgentId, siteId: green.siteId, ...more })
const day = (offset: number) => new Date(Date.now() + (8 + offset * 24) * 3_600_000).toISOString().slice(0, 10)
/** An agent beside the fixture's, with its site and a person. */
async function sibling() {
  const [agent] = await api.sql<{ id: string }>('insert into agent (organise_id, name) values ($1, $2) returning id', [
    green.id,
    `旁支${crypto.randomUUID().slice(0, 8)}`,
  ])
  const agentId = agent?.id ?? ''
  const loginName = `green_sibling_${agentId}`
  return { agentId, ...(await makePerson(api, { organiseId: green.id, agentId, loginName, menus: tenantMenus })) }
}

describe('a stranger', () => {
  it('neither sees, adds nor lifts a block of another organisation', async () => {
    const foreign = await makeMember(api, { organiseId: swift.id, phone: '13900001001' })
    const card = await makeCard(api, { organiseId: swift.id })
    const id = await makeBlock(api, swift, { memberId: foreign.id })
    expect(await idsOf(token)).not.toContain(id)
    expect((await lift(token, id)).status).toBe(404)
    expect((await add(token, { memberId: foreign.id })).status).toBe(404)
    expect((await add(token, { phone: '13900001002', organiseId: swift.id })).status).toBe(404)
    expect(await add(token, { cardNo: card.cardNo })).toMatchObject({
      status: 422,
      message: '没有找到该卡号的储值卡',
    })
    // A phone names a person within the own organisation only.
    const own = await add(token, { phone: '13900001001' })
    expect((await rows(token, { keyword: '13900001001' }))[0]).toMatchObject({ id: own.data.id, nickname: null })
  })

  it('at an agent or a site sees and blocks only people of its place', async () => {
    const [mine, elsewhere] = [await memberOfSite(), await makeMember(api, { organiseId: green.id })]
    const id = (await add(token, { memberId: mine.id })).data.id
    const other = (await add(token, { memberId: elsewhere.id })).data.id
    for (const person of [green.agent, green.subAgent, green.site]) {
      const seen = await idsOf(person.token)
      expect(seen).toContain(id)
      expect(seen).not.toContain(other)
      expect((await add(person.token, { memberId: elsewhere.id })).status).toBe(404)
    }
    expect(await idsOf((await sibling()).token)).toEqual([])
  })
})

describe('a block', () => {
  it('is added by member, phone or card with every key that is known, and found by each', async () => {
    const phone = '13900002001'
    const member = await memberOfSite({ nickname: '小林', phone })
    const card = await makeCard(api, { organiseId: green.id, siteId: green.siteId, memberId: member.id })
    const reply = await add(token, { cardNo: card.cardNo, scope: 1, endsOn: day(2) })
    expect(reply).toMatchObject({ status: 200, message: '已加入黑名单，正在进行的充电照常结算' })
    const [row] = await rows(token, { keyword: card.cardNo })
    expect(row).toMatchObject({
      id: reply.data.id,
      nickname: '小林',
      memberId: member.id,
      phone: '139****2001',
      status: 1,
      scope: 1,
      reason: '恶意占位',
      siteName: '站点green',
      createdBy: '姓名green_admin',
      endedAt: `${day(3)} 00:00:00`,
      mayLift: true,
    })
    expect(row?.cardNo).not.toBe(card.cardNo)
    expect(await idsOf(token, { keyword: phone })).toEqual([reply.data.id])
    expect(await idsOf(token, { keyword: member.id })).toEqual([reply.data.id])
    expect(await idsOf(token, { keyword: '小林' })).toEqual([])
  })

  it('names exactly one person, ends no earlier than today, and exists once for each key of a person', async () => {
    const member = await memberOfSite({ phone: '13900003001' })
    const problem = { status: 422, message: '请只填写会员ID、手机号、卡号中的一项' }
    expect(await add(token, {})).toMatchObject(problem)
    expect(await add(token, { memberId: member.id, phone: '13900003001' })).toMatchObject(problem)
    expect(await add(token, { memberId: member.id, endsOn: day(-1) })).toMatchObject({
      status: 422,
      message: '截止日期不能早于今天',
    })
    expect((await add(token, { memberId: member.id, endsOn: day(0) })).status).toBe(200)
    const present = { status: 409, message: '该用户已在黑名单中' }
    expect(await add(token, { memberId: member.id })).toMatchObject(present)
    expect(await add(token, { phone: '13900003001' })).toMatchObject(present)
    const fresh = await memberOfSite()
    const both = await Promise.all([add(token, { memberId: fresh.id }), add(token, { memberId: fresh.id })])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  it('is lifted once, with a reason, and then a new one can follow', async () => {
    const member = await memberOfSite()
    const { data } = await add(token, { memberId: member.id })
    expect((await lift(token, data.id)).message).toBe('已解除限制，立即生效')
    expect(await lift(token, data.id)).toMatchObject({ status: 409, message: '该限制已解除或已到期' })
    expect((await rows(token, { keyword: member.id, status: '2' }))[0]).toMatchObject({
      liftedBy: '姓名green_admin',
      liftReason: '已沟通',
    })
    expect((await add(token, { memberId: member.id })).status).toBe(200)
    expect(await idsOf(token, { keyword: member.id })).toHaveLength(2)
  })

  it('expires by the clock of the database, also after a new one has taken its place', async () => {
    const member = await memberOfSite()
    const id = await makeBlock(api, green, { memberId: member.id, expired: true })
    expect((await rows(token, { keyword: member.id, status: '3' }))[0]).toMatchObject({ id, status: 3 })
    expect(await lift(token, id)).toMatchObject({ status: 409 })
    const next = await add(token, { memberId: member.id })
    expect(await idsOf(token, { keyword: member.id, status: '1' })).toEqual([next.data.id])
    expect(await idsOf(token, { keyword: member.id, status: '3' })).toEqual([id])
  })

  it('is filtered by scope, owner and day, and exported masked', async () => {
    const member = await memberOfSite({ phone: '13900004001', nickname: '=1+1' })
    const { data } = await add(token, { memberId: member.id, scope: 2 })
    const keyword = member.id
    expect(await idsOf(token, { keyword, scope: '2', siteId: green.siteId, from: day(0), to: day(0) })).toEqual([
      data.id,
    ])
    expect(await idsOf(token, { keyword, scope: '1' })).toEqual([])
    expect(await idsOf(token, { keyword, to: day(-1) })).toEqual([])
    const sheet = await sheetOf(api, token, blacklist.exportList, titlesOf(blockList), 'scope=2')
    expect(sheet).toMatchObject([{ 手机号: '139****4001', 限制范围: '充值', 状态: '生效中' }])
  })

  it('reveals its phone to a permitted reader who gives a reason', async () => {
    const { data } = await add(token, { phone: '13900005001' })
    const of = { kind: 'memberBlock', rowId: data.id, field: 'phone' } as const
    expect((await api.call(token, personalData.read, { query: of })).status).toBe(403)
    const body = { ...of, reason: '核对用户' }
    await api.call(token, session.verifyPermissions, { params: { userId: green.admin.id }, body })
    expect((await api.call(token, personalData.read, { query: of })).data.value).toBe('13900005001')
  })

  it('belongs to the organisation that platform staff choose', async () => {
    const { data } = await add(platform.root.token, { phone: '13900006001', organiseId: swift.id })
    expect(await idsOf(swift.admin.token, { keyword: '13900006001' })).toEqual([data.id])
    expect((await lift(swift.admin.token, data.id)).status).toBe(200)
  })

  it('follows its member to another site', async () => {
    const member = await memberOfSite()
    const { data } = await add(token, { memberId: member.id })
    await api.sql('update member set agent_id = null, site_id = null where id = $1', [member.id])
    expect(await idsOf(green.site.token)).not.toContain(data.id)
    expect(await idsOf(token)).toContain(data.id)
  })

  it('is a badge of the member in lists and on the page, also for an agent who does not see the block', async () => {
    const phone = '13900007001'
    const member = await memberOfSite({ phone, nickname: '被限制的会员' })
    await makeBlock(api, green, { phone, scope: 1 })
    const inList = async () => {
      const query = { keyword: member.id } as never
      return (await api.call(green.agent.token, wechatUser.list, { query })).data.rows[0]?.blocked
    }
    const onPage = async () =>
      (await api.call(green.agent.token, memberInfo.read, { params: { memberId: member.id } })).data.blocked
    expect(await idsOf(green.agent.token, { keyword: phone })).toEqual([])
    expect([await inList(), await onPage()]).toEqual([1, 1])
    await makeBlock(api, green, { memberId: member.id, scope: 2 })
    expect([await inList(), await onPage()]).toEqual([3, 3])
    const free = await memberOfSite()
    await makeBlock(api, green, { memberId: free.id, expired: true })
    const read = await api.call(green.agent.token, memberInfo.read, { params: { memberId: free.id } })
    expect(read.data.blocked).toBe(null)
  })
})

describe('an agent', () => {
  it('lifts no block of the organisation and none of another agent, but those of its own places', async () => {
    const barred = { status: 403, message: '该限制由上级添加，不能解除' }
    const [first, second] = [await memberOfSite(), await memberOfSite()]
    const ofOrganise = (await add(token, { memberId: first.id })).data.id
    const [row] = await rows(green.agent.token, { keyword: first.id })
    expect(row).toMatchObject({ id: ofOrganise, mayLift: false })
    for (const person of [green.agent, green.subAgent, green.site])
      expect(await lift(person.token, ofOrganise)).toMatchObject(barred)
    const other = await sibling()
    const ofSibling = (await add(other.token, { phone: '13900008001' })).data.id
    expect(await idsOf(other.token)).toEqual([ofSibling])
    for (const person of [green.agent, green.site]) expect((await lift(person.token, ofSibling)).status).toBe(404)
    const ofAgent = (await add(green.agent.token, { memberId: second.id })).data.id
    for (const person of [green.subAgent, green.site]) expect(await lift(person.token, ofAgent)).toMatchObject(barred)
    expect((await lift(other.token, ofAgent)).status).toBe(404)
    expect((await lift(green.agent.token, ofAgent)).status).toBe(200)
    const ofSite = (await add(green.site.token, { memberId: second.id })).data.id
    expect((await lift(green.agent.token, ofSite)).status).toBe(200)
  })

  it('blocks a phone whose member it does not see, without learning of that member', async () => {
    const phone = '13900009001'
    await makeMember(api, { organiseId: green.id, nickname: '机构会员', phone })
    const { data } = await add(green.agent.token, { phone })
    const [row] = await rows(green.agent.token, { keyword: phone })
    expect(row).toMatchObject({ id: data.id, nickname: null, memberId: null })
    // The organisation sees who blocked the person, and may lift the block.
    expect((await lift(token, data.id)).status).toBe(200)
  })
})
