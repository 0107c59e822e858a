import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { id, personKeyword } from '../kit/wire.ts'
import { blockScope } from './blacklist.ts'

/**
 * A member as known by one app. Both lists have the same row; each shows the columns of its own channel. Money is in
 * yuan.
 */
export const personFields = {
  nickname: f.shown('昵称', { width: 180, object: { kind: 'member', id: 'memberId' } }),
  memberId: f.shown('用户ID', { width: 110 }),
  phone: f.phone('手机号', { width: 150 }),
  blocked: f.data(blockScope.schema.nullable().describe('what blocks bar the member from; null: nothing')),
}
export const walletFields = {
  balance: f.money('余额', { width: 105, about: 'recharged money plus gift money' }),
  paidBalance: f.money('充值余额', { width: 105 }),
  giftBalance: f.money('赠送余额', { width: 105 }),
  frozen: f.money('冻结', { width: 105, about: 'reserved for open charges, not part of the balance' }),
  recharged: f.money('累计充值', { width: 105, about: 'total recharged' }),
  consumed: f.money('累计消费', { width: 105, about: 'total spent' }),
}
export const historyFields = {
  ...f.owner,
  registeredAt: f.time('注册时间', { width: 180, about: 'first use of this app by the member' }),
  lastConsumedAt: f.time('最近消费', { optional: true, width: 120 }),
}
export const identityFields = {
  openId: f.person('OpenID', 'openId', { width: 180 }),
  id: f.data(z.string().describe('id of the member within this app')),
}

/** The filter of both lists. The page adds the filter by app, whose options come from the server. */
export const memberFilter = {
  own: {
    keyword: {
      title: '手机号/用户ID/昵称',
      schema: personKeyword.describe('complete phone number, member number, or prefix of the nickname'),
    },
    appId: { schema: id },
  },
  owner: ['organise', 'agent', 'site'],
} as const
