import { rechargeStatistics } from '@wattdeck/contract/order/recharge-statistics.ts'
import { statBy, statSpan } from '@wattdeck/contract/order/statistics.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/harness/api.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { plantPayment } from '../../../../test/fixtures/payment-rows.ts'
import { makeFixture } from '../../../../test/harness/people.ts'
import { paidRecharge } from '../../../../test/fixtures/statistics.ts'

const api = await startApi()
const fixture = await makeFixture(api)
beforeAll(async () => {
  for (const { id: organiseId, subAgentId: agentId, siteId } of [fixture.green, fixture.swift]) {
    const place = { organiseId, agentId, siteId }
    const [one, two] = [await makeMember(api, place), await makeMember(api, place)]
    await paidRecharge(api, { ...place, memberId: one.id, daysAgo: 2 }, 1, 5000, 500)
    await paidRecharge(api, { ...place, memberId: one.id, daysAgo: 2 }, 2, 1000)
    await paidRecharge(api, { ...place, memberId: two.id, daysAgo: 2 }, 1, 2000)
    await paidRecharge(api, { ...place, memberId: two.id, daysAgo: 1 }, 2, 700, 70)
    // Requested and not paid, so no recharge.
    const { payment, merchant } = await plantPayment(api, { ...place, memberId: one.id })
    await api.sql(
      `insert into pay_refund (organise_id, agent_id, site_id, pay_order_id, merchant_id, amount_fen, purpose, ref_id, reason, status, arrived_at)
       values ($1, $2, $3, $4, $5, 300, 1, $4, '退款', 3, now() - interval '1 day')`,
      [organiseId, agentId, siteId, payment, merchant],
    )
  }
})

type Query = Record<string, string | number>
const list = async (token: string, query: Query = {}) =>
  (await api.call(token, rechargeStatistics.list, { query: { pageSize: 31, ...query } as never })).data.rows
const dayBack = (days: number) => new Date(Date.now() + 8 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10)
const days = () => ({ from: dayBack(4), to: dayBack(0) })

describe('a stranger', () => {
  it('finds nothing by the ids of another organisation', async () => {
    const { green, swift } = fixture
    for (const who of ['admin', 'agent', 'subAgent', 'site'] as const)
      for (const query of [{ organiseId: swift.id }, { agentId: swift.agentId }, { siteId: swift.siteId }] as Query[]) {
        const rows = await list(green[who].token, { ...days(), ...query })
        expect(rows.every((row) => row.recharges === 0 && row.people === 0 && row.wechat === '0.00')).toBe(true)
      }
  })
})

describe('recharges', () => {
  it('of a day are counted with their members and payment methods, for each reader', async () => {
    const { platform, green } = fixture
    const readers: [string, Query][] = [
      [platform.root.token, { organiseId: green.id }],
      ...(['admin', 'agent', 'subAgent', 'site'] as const).map((who): [string, Query] => [green[who].token, {}]),
      [green.admin.token, { siteId: green.siteId }],
      [green.admin.token, { agentId: green.agentId }],
    ]
    for (const [token, query] of readers) {
      const rows = await list(token, { ...days(), ...query })
      expect(rows.map(({ recharges, people }) => [recharges, people])).toEqual([
        [0, 0],
        [1, 1],
        [3, 2],
        [0, 0],
        [0, 0],
      ])
      expect(rows[1]).toMatchObject({ amount: '7.00', gift: '0.70', refunds: 1, refunded: '3.00', net: '4.00' })
      expect(rows[2]).toMatchObject({ amount: '80.00', gift: '5.00', wechat: '70.00', alipay: '10.00', net: '80.00' })
    }
  })

  it('of all organisations are totalled without members, and grouped by organisation with them', async () => {
    const { platform, green, swift } = fixture
    const rows = await list(platform.root.token, days())
    expect(rows[2]).toMatchObject({ recharges: 6, amount: '160.00', people: null, wechat: null })
    const query = { from: dayBack(2), to: dayBack(2), by: statBy.code.organise }
    const owners = (await list(platform.root.token, query)).filter(({ recharges }) => recharges > 0)
    expect(owners.map(({ ownerId, people, wechat }) => [ownerId, people, wechat])).toEqual(
      [green.id, swift.id].map((id) => [id, 2, '70.00']),
    )
  })

  it('of a month are the sum of its days', async () => {
    const { token } = fixture.green.admin
    const months = await list(token, { span: statSpan.code.month, ...days() })
    expect(months.reduce((sum, { recharges }) => sum + recharges, 0)).toBe(4)
    const { data } = await api.call(token, rechargeStatistics.totals, { query: days() as never })
    expect(data).toEqual({ recharges: 4, amount: '87.00', gift: '5.70', refunds: 1, refunded: '3.00', net: '84.00' })
  })

  it('over too many days to count members come without them', async () => {
    const { token } = fixture.green.admin
    const long = await list(token, { pageSize: 32, from: dayBack(40), to: dayBack(0) })
    expect(long.every(({ people, alipay }) => people === null && alipay === null)).toBe(true)
    expect(long[2]).toMatchObject({ recharges: 3, amount: '80.00' })
    const page = await list(token, { pageSize: 31, from: dayBack(40), to: dayBack(0) })
    expect(page[2]).toMatchObject({ people: 2, wechat: '70.00' })
  })
})
