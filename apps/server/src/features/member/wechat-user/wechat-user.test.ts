import { memberInfo } from '@wattdeck/contract/member/member-info.ts'
import { miniUser } from '@wattdeck/contract/member/mini-user.ts'
import { wechatUser } from '@wattdeck/contract/member/wechat-user.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { personalData } from '@wattdeck/contract/auth/personal-data.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../../test/harness/api.ts'
import { makeMember, type Member, postLines, recharge } from '../../../../test/fixtures/members.ts'
import { makeFixture, type Fixture } from '../../../../test/harness/people.ts'

let api: TestApi
let fixture: Fixture
let ofSite: Member
let memberWithoutSite: Member
let foreign: Member
beforeAll(async () => {
  api = await startApi()
  fixture = await makeFixture(api)
  const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
  ofSite = await makeMember(api, { organiseId, agentId, siteId, nickname: '晴天的小电驴', phone: '13911110001' })
  memberWithoutSite = await makeMember(api, { organiseId, nickname: '阿强', phone: '13911110002', following: true })
  foreign = await makeMember(api, { organiseId: fixture.swift.id, nickname: '晴天', phone: '13911110003' })
})

const ids = async (token: string, query: object = {}) =>
  (await api.call(token, wechatUser.list, { query: query as never })).data.rows.map((row) => row.memberId)

describe('a stranger', () => {
  it('sees no member of another organisation by any route', async () => {
    const { token } = fixture.green.admin
    expect(await ids(token)).not.toContain(foreign.id)
    for (const keyword of ['13911110003', '晴天', foreign.id])
      expect(await ids(token, { keyword })).not.toContain(foreign.id)
    const memberId = foreign.id
    expect((await api.call(token, memberInfo.info, { query: { memberId } })).status).toBe(404)
    for (const route of [memberInfo.read, memberInfo.statement])
      expect((await api.call(token, route, { params: { memberId } })).status).toBe(404)
    expect((await api.call(token, miniUser.toggle, { body: { memberId, status: 0 } })).status).toBe(404)
  })

  it('at an agent or a site sees the members of its sites, and no others of the organisation', async () => {
    expect((await ids(fixture.green.admin.token)).toSorted()).toEqual([ofSite.id, memberWithoutSite.id].toSorted())
    for (const who of ['agent', 'subAgent', 'site'] as const) {
      const { token } = fixture.green[who]
      expect(await ids(token)).toEqual([ofSite.id])
      expect(await ids(token, { keyword: '阿强' })).toEqual([])
      expect((await api.call(token, memberInfo.info, { query: { memberId: memberWithoutSite.id } })).status).toBe(404)
    }
    expect(await ids(fixture.swift.agent.token)).toEqual([])
  })
})

describe('the list', () => {
  it('shows the paid, gift and reserved balances of the wallet, with personal values masked', async () => {
    const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
    const rich = await makeMember(api, { organiseId, agentId, siteId, nickname: '王阿姨', phone: '13911110004' })
    await recharge(api, rich, 10_000, 2_050)
    await postLines(api, organiseId, 'hold', [
      ['memberPaid', rich.id, -300],
      ['memberPaidHeld', rich.id, 300],
    ])
    const { data } = await api.call(fixture.green.site.token, wechatUser.list, { query: { keyword: rich.id } as never })
    expect(data.rows).toMatchObject([
      {
        nickname: '王阿姨',
        phone: '139****0004',
        openId: `${rich.openId.slice(0, 4)}****${rich.openId.slice(-4)}`,
        balance: '117.50',
        paidBalance: '97.00',
        giftBalance: '20.50',
        frozen: '3.00',
        recharged: '100.00',
        appName: '公众号',
        siteName: '站点green',
      },
    ])
    // No feature grants points, so the list shows none.
    expect(data.rows[0]).not.toHaveProperty('points')
    const info = await api.call(fixture.green.site.token, memberInfo.info, { query: { memberId: rich.id } })
    expect(info.data).toEqual({
      nickname: '王阿姨',
      memberId: rich.id,
      balance: '117.50',
      rechargeBalance: '97.00',
      phone: '139****0004',
    })
  })

  it('is searched by whole phone, member id, and nickname prefix', async () => {
    const { token } = fixture.green.admin
    expect(await ids(token, { keyword: '13911110002' })).toEqual([memberWithoutSite.id])
    expect(await ids(token, { keyword: '1391111' })).toEqual([])
    expect(await ids(token, { keyword: memberWithoutSite.id })).toEqual([memberWithoutSite.id])
    expect(await ids(token, { keyword: '晴天' })).toEqual([ofSite.id])
    expect(await ids(token, { keyword: '小电驴' })).toEqual([])
    expect(await ids(fixture.platform.root.token, { keyword: '晴天' })).toEqual([foreign.id, ofSite.id])
  })

  it('is filtered by app, owner, days and following', async () => {
    const { token } = fixture.green.admin
    const { id: organiseId, siteId, agentId } = fixture.green
    expect(await ids(token, { following: 1 })).toEqual([memberWithoutSite.id])
    expect(await ids(token, { siteId })).not.toContain(memberWithoutSite.id)
    expect(await ids(token, { agentId })).toContain(ofSite.id)
    const old = await makeMember(api, { organiseId, nickname: '老用户', linkedAt: '2026-03-05T16:30:00Z' })
    expect(await ids(token, { from: '2026-03-06', to: '2026-03-06' })).toEqual([old.id])
    expect(await ids(token, { to: '2026-03-05' })).toEqual([])
    const apps = (await api.call(token, wechatUser.apps)).data
    expect(apps.map((app) => app.organiseName)).toEqual(['机构green'])
    expect(await ids(token, { appId: apps[0]?.id })).toContain(old.id)
    const foreignApps = (await api.call(fixture.swift.admin.token, wechatUser.apps)).data
    expect(await ids(token, { appId: foreignApps[0]?.id })).toEqual([])
  })

  it('pages by cursor without losing or repeating a member, also with equal registration times', async () => {
    const { id: organiseId } = fixture.swift
    for (let i = 0; i < 7; i++)
      await makeMember(api, { organiseId, channel: 2, linkedAt: '2026-05-01T00:00:00.123456Z' })
    const seen: string[] = []
    let cursor: string | undefined
    for (let pageNum = 1; pageNum <= 4; pageNum++) {
      const query = { pageNum, pageSize: 2, ...(cursor === undefined ? {} : { cursor }) }
      const { data } = await api.call(fixture.swift.admin.token, miniUser.list, { query: query as never })
      seen.push(...data.rows.map((row) => row.id))
      cursor = data.cursor ?? undefined
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)))
  })
})

describe('an OpenID', () => {
  it('is revealed to a permitted reader who gives a reason', async () => {
    const { token, id: userId } = fixture.green.admin
    const of = { kind: 'memberIdentity', rowId: ofSite.identityId, field: 'openId' } as const
    expect((await api.call(token, personalData.read, { query: of })).status).toBe(403)
    const revealReply = await api.call(token, session.verifyPermissions, {
      params: { userId },
      body: { ...of, reason: '核对用户' },
    })
    expect(revealReply.data).toBe(true)
    expect((await api.call(token, personalData.read, { query: of })).data.value).toBe(ofSite.openId)
  })
})

describe('a member', () => {
  it('of the mini-program can be disabled and enabled again', async () => {
    const { token } = fixture.green.admin
    const member = await makeMember(api, { organiseId: fixture.green.id, channel: 2, nickname: '小程序用户' })
    const toggle = (status: 0 | 1) => api.call(token, miniUser.toggle, { body: { memberId: member.id, status } })
    const found = async (status: number) =>
      (await api.call(token, miniUser.list, { query: { status } as never })).data.rows.map((row) => row.memberId)
    expect((await toggle(0)).status).toBe(200)
    expect(await toggle(0)).toMatchObject({ status: 409, message: '会员已停用' })
    expect(await found(0)).toEqual([member.id])
    expect(await found(1)).not.toContain(member.id)
    expect((await toggle(1)).status).toBe(200)
    expect(await found(0)).toEqual([])
  })

  it('shows apps, wallets, charges and statement, the newest first', async () => {
    const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
    const member = await makeMember(api, { organiseId, agentId, siteId, nickname: '明细' })
    await recharge(api, member, 500, 100)
    await recharge(api, member, 250)
    await api.sql(
      `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode,
         billing_type, status, limit_by, limit_value, held_paid_fen, paid_fen, electricity_fen, total_fen, energy_dwh, settled_at)
       values ($1, $2, $3, 1, 2, 'D1', (select min(id) from device_type), 'W1', $4, 1, 1, 3, 4, 0, 200, 120, 120, 120, 15000, now())`,
      [organiseId, agentId, siteId, member.id],
    )
    await api.sql(
      `insert into charging_order (organise_id, agent_id, site_id, device_id, port_no, device_no, device_type_id, wire_no, member_id, start_mode,
         billing_type, status, limit_by, limit_value)
       values ($1, $2, $3, 1, 3, 'D1', (select min(id) from device_type), 'W2', $4, 1, 1, 2, 4, 0)`,
      [organiseId, agentId, siteId, member.id],
    )
    const { token } = fixture.green.subAgent
    const params = { memberId: member.id }
    const { data } = await api.call(token, memberInfo.read, { params })
    expect(data.wallets.map(({ balance }) => balance)).toEqual(['7.50', '1.00', '0.00', '0.00'])
    expect(data.apps).toMatchObject([{ channel: 1, name: '公众号' }])
    expect(data).toMatchObject({ balance: '8.50', frozen: '0.00', charging: 1 })
    const orders = await api.call(fixture.green.admin.token, consumeOrder.list, { query: params as never })
    expect(orders.data.rows).toMatchObject([
      { deviceNo: 'D1', portNo: 3, siteName: '站点green' },
      { deviceNo: 'D1', portNo: 2, siteName: '站点green', total: '1.20' },
    ])
    // The figures of the page lead to exactly the rows that they count.
    const open = await api.call(fixture.green.admin.token, unfinishedOrder.list, { query: params as never })
    expect(open.data.rows).toMatchObject([{ portNo: 3 }])
    const other = { memberId: String(BigInt(member.id) + 1n) } as never
    for (const route of [consumeOrder.list, unfinishedOrder.list])
      expect((await api.call(fixture.green.admin.token, route, { query: other })).data.rows).toEqual([])
    const paid = (await api.call(token, memberInfo.statement, { params })).data.rows
    expect(paid.map(({ amount, balance, kind }) => [amount, balance, kind])).toEqual([
      ['2.50', '7.50', 1],
      ['5.00', '5.00', 1],
    ])
    const gift = await api.call(token, memberInfo.statement, { params, query: { kind: 2 } as never })
    expect(gift.data.rows).toMatchObject([{ amount: '1.00', kind: 2 }])
    const held = await api.call(token, memberInfo.statement, { params, query: { kind: 3 } as never })
    expect(held.data.rows).toEqual([])
  })

  it('shows a charge as one line that contains its entries', async () => {
    const { id: organiseId, subAgentId: agentId, siteId } = fixture.green
    const member = await makeMember(api, { organiseId, agentId, siteId, nickname: '一行' })
    await recharge(api, member, 10_000)
    const reserve = (fen: number, ref: string) =>
      postLines(
        api,
        organiseId,
        'hold',
        [
          ['memberPaid', member.id, -fen],
          ['memberPaidHeld', member.id, fen],
        ],
        ref,
      )
    await reserve(5_000, 'billed')
    await reserve(300, 'released')
    await reserve(200, 'running')
    await postLines(
      api,
      organiseId,
      'bill',
      [
        ['memberPaidHeld', member.id, -5_000],
        ['memberPaid', member.id, 4_897],
        ['siteService', siteId, 103],
      ],
      'billed',
    )
    await postLines(
      api,
      organiseId,
      'release',
      [
        ['memberPaidHeld', member.id, -300],
        ['memberPaid', member.id, 300],
      ],
      'released',
    )
    const read = async (query: object = {}) =>
      (
        await api.call(fixture.green.subAgent.token, memberInfo.statement, {
          params: { memberId: member.id },
          query: query as never,
        })
      ).data
    const { rows, total } = await read()
    expect(total).toBe(4)
    expect(rows.map(({ ref, amount, held, returned, balance }) => [ref, amount, held, returned, balance])).toEqual([
      ['released', '0.00', '3.00', '3.00', '96.97'],
      ['billed', '-1.03', '50.00', '48.97', '93.97'],
      ['running', '-2.00', null, null, '45.00'],
      [rows[3]?.ref, '100.00', null, null, '100.00'],
    ])
    expect(rows[1]?.legs.map(({ kind, amount }) => [kind, amount])).toEqual([
      [3, '-50.00'],
      [5, '48.97'],
    ])
    // The reserved balance is a separate account, whose statement lists single entries.
    expect((await read({ kind: 3 })).rows.map(({ amount }) => amount)).toEqual([
      '-3.00',
      '-50.00',
      '2.00',
      '3.00',
      '50.00',
    ])
    const first = await read({ pageSize: 2 })
    const second = await read({ pageSize: 2, pageNum: 2, cursor: first.cursor ?? '' })
    expect([...first.rows, ...second.rows].map(({ ref }) => ref)).toEqual(rows.map(({ ref }) => ref))
  })

  it('moves together with its accounts when the site changes to another agent', async () => {
    const { id: organiseId, agentId, subAgentId } = fixture.green
    const [site] = await api.sql<{ id: string }>(
      "insert into site (organise_id, agent_id, name) values ($1, $2, '要搬的站') returning id",
      [organiseId, subAgentId],
    )
    const member = await makeMember(api, { organiseId, nickname: '跟着走' })
    await recharge(api, member, 700)
    expect(await ids(fixture.green.subAgent.token, { keyword: '跟着走' })).toEqual([])
    // The first charge determines the place of a member.
    await api.sql('update member set agent_id = $2, site_id = $3 where id = $1', [member.id, subAgentId, site?.id])
    const shown = () =>
      api.call(fixture.green.subAgent.token, wechatUser.list, { query: { keyword: '跟着走' } as never })
    expect((await shown()).data.rows).toMatchObject([{ memberId: member.id, balance: '7.00', siteName: '要搬的站' }])
    await api.sql('update site set agent_id = $2 where id = $1', [site?.id, agentId])
    expect((await shown()).data.rows).toEqual([])
    expect(await ids(fixture.green.agent.token, { keyword: '跟着走' })).toEqual([member.id])
  })
})
