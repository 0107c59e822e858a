import { z } from 'zod'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import type { DataOf } from '../kit/route.ts'
import { id, phone } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { offlineWay } from './offline-recharge.ts'
import { printedNo } from './stored-card.ts'

export const cardRechargeList = defineList('/seeker/api/cardRecharge', {
  menu: menuKey.cardRecharge,
  module: '储值卡充值记录',
  fields: {
    serialNo: f.shown('流水号', { width: 190, object: { kind: 'recharge', id: 'id' } }),
    cardNo: f.shown('卡号', { width: 140 }),
    holderName: f.person('持卡人', 'name', { optional: true, width: 110, object: { kind: 'member', id: 'memberId' } }),
    holderPhone: f.person('手机号', 'phone', { optional: true, width: 130 }),
    amount: f.money('充值金额', { width: 130 }),
    gift: f.money('赠送', { width: 90 }),
    way: f.code('收款方式', offlineWay, { optional: true, width: 100 }),
    bankRef: f.shown('银行流水号', { optional: true, width: 190 }),
    before: f.money('充值前余额', { optional: true, width: 110 }),
    after: f.money('充值后余额', { optional: true, width: 110 }),
    createdBy: f.shown('操作人', { optional: true, width: 110, object: { kind: 'staff', id: 'createdById' } }),
    decidedBy: f.shown('审核人', { optional: true, width: 110, object: { kind: 'staff', id: 'decidedById' } }),
    createdAt: f.time('充值时间', { width: 170 }),
    remark: f.shown('备注', { optional: true, width: 180, hidden: true }),
    ...f.owner,
    cardId: f.data(z.string()),
    memberId: f.data(z.string().nullable()),
    createdById: f.data(z.string().nullable()),
    decidedById: f.data(z.string().nullable()),
    pictureId: f.data(z.string().nullable().describe('voucher')),
    requestNo: f.data(z.string().nullable().describe('number of the request at the desk')),
  },
  decided: [
    ['serialNo', 'createdAt'],
    ['cardNo'],
    ['holderName', 'holderPhone'],
    ['amount', 'gift'],
    ['before', 'after'],
    ['way', 'bankRef'],
    ['createdBy', 'decidedBy'],
    ['siteName', 'agentName'],
  ],
  filter: {
    own: {
      cardNo: { title: '卡号', schema: printedNo },
      phone: { title: '手机号', schema: phone },
      cardId: { schema: id },
    },
    exact: ['way'],
    days: 'createdAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type CardRecharge = DataOf<typeof cardRechargeList.routes.list>['rows'][number]

/** Recharges whose money went to a card. */
export const cardRecharge = cardRechargeList.routes
