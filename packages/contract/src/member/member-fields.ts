import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { id, personKeyword } from '../kit/wire.ts'

/** A member as one app knows them. Both lists have the same row, each shows what its own channel has. Money is in yuan. */
export const personFields = {
  nickname: f.shown('昵称', { width: 180, object: { kind: 'member', id: 'memberId' } }),
  memberId: f.shown('用户ID', { width: 110 }),
  phone: f.phone('手机号', { width: 150 }),
}
export const walletFields = {
  balance: f.money('余额', { width: 105, about: 'what was paid in and what was given' }),
  paidBalance: f.money('充值余额', { width: 105 }),
  giftBalance: f.money('赠送余额', { width: 105 }),
  frozen: f.money('冻结', { width: 105, about: 'held for charges under way, beside the balance' }),
  recharged: f.money('累计充值', { width: 105, about: 'paid in so far' }),
  consumed: f.money('累计消费', { width: 105, about: 'spent so far' }),
}
export const historyFields = {
  ...f.owner,
  registeredAt: f.time('注册时间', { width: 180, about: 'when the member first came through this app' }),
  lastConsumedAt: f.time('最近消费', { optional: true, width: 120 }),
}
export const identityFields = {
  openId: f.person('OpenID', 'openId', { width: 180 }),
  id: f.data(z.string().describe('of the member in this app')),
}

/** What both lists are narrowed by. Apps are chosen from what there is, so the page adds that filter. */
export const memberFilter = {
  own: {
    keyword: {
      title: '手机号/用户ID/昵称',
      schema: personKeyword.describe('a whole phone, the number of the member, or how the nickname begins'),
    },
    appId: { schema: id },
  },
  owner: ['organise', 'agent', 'site'],
} as const
