import { cardRecharge } from '@wattdeck/contract/operating/card-recharge.ts'
import { offlineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { expect, it } from 'vitest'
import { makeCard } from '../../../../test/fixtures/cards.ts'
import { makeMember } from '../../../../test/fixtures/members.ts'
import { plantRecharge } from '../../../../test/fixtures/refunds.ts'
import { startApi } from '../../../../test/harness/api.ts'
import { makeFixture, makePerson } from '../../../../test/harness/people.ts'

const api = await startApi()
const { green, swift } = await makeFixture(api)
const menus = ['9', '9.2', '9.12']
const clerk = await makePerson(api, { organiseId: green.id, loginName: 'recharge_clerk', menus })
const checker = await makePerson(api, { organiseId: green.id, loginName: 'recharge_checker', menus })
const rowsOf = async (query: object = {}, by: { token: string } = clerk) =>
  (await api.call(by.token, cardRecharge.list, { query: { pageSize: 100, ...query } as never })).data.rows

it('lists recharges of cards only, with clerk, approver and both balances; no other organisation sees them', async () => {
  const member = await makeMember(api, { organiseId: green.id, phone: '13344445555' })
  const card = await makeCard(api, { organiseId: green.id, memberId: member.id, paidFen: 500 })
  await plantRecharge(api, green.id, member.id)
  const asked = await api.call(clerk.token, offlineRecharge.add, {
    body: { cardId: card.id, amount: '20', way: 1, remark: '门店' } as never,
  })
  expect(await rowsOf()).toEqual([])
  expect((await api.call(checker.token, offlineRecharge.approve, { body: { id: asked.data.id } })).status).toBe(200)
  const [row, ...others] = await rowsOf()
  expect(others).toEqual([])
  expect(row).toMatchObject({
    cardNo: card.cardNo,
    cardId: card.id,
    holderPhone: '133****5555',
    amount: '20.00',
    gift: '0.00',
    before: '5.00',
    after: '25.00',
    way: 1,
    createdById: clerk.id,
    decidedById: checker.id,
    remark: '门店',
    requestNo: `XC${asked.data.id.padStart(8, '0')}`,
  })
  expect(row?.serialNo).toBe(row?.id)
  for (const query of [{ cardNo: card.cardNo }, { phone: '13344445555' }, { cardId: card.id }, { way: 1 }])
    expect(await rowsOf(query), JSON.stringify(query)).toHaveLength(1)
  for (const query of [{ cardNo: '99999999' }, { way: 2 }, { to: '2025-12-31' }])
    expect(await rowsOf(query), JSON.stringify(query)).toEqual([])
  expect(await rowsOf({}, swift.admin)).toEqual([])
})
