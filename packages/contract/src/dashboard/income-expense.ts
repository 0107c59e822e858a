import { z } from 'zod'
import { type AccountName, postingKind } from '../accounting/ledger-codes.ts'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { objectKinds } from '../kit/object-kinds.ts'
import { type DataOf, get } from '../kit/route.ts'
import { money, row } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

/** What charging earned and what it cost, and the money that moved at payment providers and at the desk. */
export const bookPart = codes({
  operating: { code: 1, label: '经营收支' },
  funds: { code: 2, label: '资金收付' },
})

export const flowDirection = codes({
  in: { code: 1, label: '收入', tone: 'ok' },
  out: { code: 2, label: '支出', tone: 'bad' },
})

/** Every entry of a collecting account has exactly one of these types. */
export const incomeExpenseType = codes({
  electricity: { code: 11, label: '充电电费', tone: 'ok' },
  service: { code: 12, label: '充电服务费', tone: 'ok' },
  occupancy: { code: 13, label: '占位费', tone: 'ok' },
  chargeRefund: { code: 14, label: '充电退款', tone: 'bad' },
  subsidy: { code: 15, label: '优惠补贴', tone: 'book' },
  subsidyReturned: { code: 16, label: '补贴退回', tone: 'off' },
  discount: { code: 17, label: '承担优惠', tone: 'warn' },
  discountReturned: { code: 18, label: '优惠退回', tone: 'off' },
  gift: { code: 19, label: '充值赠送', tone: 'warn' },
  giftReturned: { code: 20, label: '赠送收回', tone: 'off' },
  adjustmentOut: { code: 21, label: '余额调增', tone: 'warn' },
  adjustmentIn: { code: 22, label: '余额调减', tone: 'off' },
  fee: { code: 23, label: '渠道手续费', tone: 'warn' },
  feeReturned: { code: 24, label: '手续费冲回', tone: 'off' },
  unusedPass: { code: 25, label: '包月未使用', tone: 'ok' },
  received: { code: 31, label: '线上收款', tone: 'run' },
  paidBack: { code: 32, label: '线上退款及扣费', tone: 'bad' },
  receivedOffline: { code: 33, label: '线下收款', tone: 'run' },
  paidBackOffline: { code: 34, label: '线下退款', tone: 'bad' },
})
export type IncomeExpenseType = keyof typeof incomeExpenseType.code

/** `sign` is that of the entry in the ledger: a channel is negative where money came in. */
type TypeRule = {
  part: keyof typeof bookPart.code
  direction: keyof typeof flowDirection.code
  accounts: readonly AccountName[]
  sign: 1 | -1
  /** Of a channel: whether it is the desk and the bank, or a payment provider. */
  isOffline?: boolean
}
const income = (part: TypeRule['part'], accounts: readonly AccountName[], sign: 1 | -1, isOffline?: boolean) =>
  ({ part, direction: 'in', accounts, sign, ...(isOffline === undefined ? {} : { isOffline }) }) as const
const expense = (...params: Parameters<typeof income>) => ({ ...income(...params), direction: 'out' }) as const

const charging = ['siteElectricity', 'siteService', 'siteOccupancy'] as const
// No discount is borne by the platform: nothing grants one yet.
const discounts = ['discountOrganise', 'discountAgent'] as const
/** The accounts of each type. Types share no entry, so sums of types add up. */
export const typeRules: Readonly<Record<IncomeExpenseType, TypeRule>> = {
  electricity: income('operating', ['siteElectricity'], 1),
  service: income('operating', ['siteService'], 1),
  occupancy: income('operating', ['siteOccupancy'], 1),
  chargeRefund: expense('operating', charging, -1),
  subsidy: income('operating', ['siteSubsidy'], 1),
  subsidyReturned: expense('operating', ['siteSubsidy'], -1),
  discount: expense('operating', discounts, -1),
  discountReturned: income('operating', discounts, 1),
  gift: expense('operating', ['giftCost'], -1),
  giftReturned: income('operating', ['giftCost'], 1),
  adjustmentOut: expense('operating', ['adjustment'], -1),
  adjustmentIn: income('operating', ['adjustment'], 1),
  fee: expense('operating', ['channelFee'], -1),
  feeReturned: income('operating', ['channelFee'], 1),
  unusedPass: income('operating', ['planIncome'], 1),
  received: income('funds', ['channel'], -1, false),
  paidBack: expense('funds', ['channel'], 1, false),
  receivedOffline: income('funds', ['channel'], -1, true),
  paidBackOffline: expense('funds', ['channel'], 1, true),
}

/** The longest period in days, and the period of a query without days. */
export const incomeExpenseDays = { most: 31, usual: 7 }

const menu = menuKey.incomeExpense
export const incomeExpenseList = defineList('/seeker/api/incomeExpense', {
  menu,
  module: '收支明细',
  fields: {
    id: f.no('流水号', { width: 150, about: 'posting and line in the ledger' }),
    at: f.time('时间', { width: 170 }),
    type: f.code('类型', incomeExpenseType, { width: 130 }),
    direction: f.code('收支方向', flowDirection, { width: 140 }),
    amount: f.money('金额', { width: 120 }),
    part: f.code('账目', bookPart, { width: 100 }),
    kind: f.code('业务', postingKind, { width: 110 }),
    ref: f.no('关联单号', { width: 210 }),
    ...f.owner,
    remark: f.shown('备注', { optional: true, width: 200 }),
    objectKind: f.data(z.enum(objectKinds).nullable().describe('kind of the object of `ref`; null without a page')),
    objectId: f.data(z.string().nullable()),
  },
  decided: [
    ['id', 'at'],
    ['type', 'kind'],
    ['direction', 'part'],
    ['amount'],
    ['ref'],
    ['siteName', 'agentName'],
    ['remark'],
  ],
  filter: {
    exact: ['part', 'type', 'direction'],
    days: 'at',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type IncomeExpense = DataOf<typeof incomeExpenseList.routes.list>['rows'][number]

export const incomeExpense = {
  ...incomeExpenseList.routes,
  /** Sums of a filter, from the daily sums of the ledger. The two parts of the book are never added up. */
  totals: get('/seeker/api/incomeExpense/totals', {
    access: { menu },
    query: row(incomeExpenseList.filterShape),
    data: row({
      sums: row({
        income: money,
        expense: money,
        net: money.describe('income minus expense of operating'),
        received: money,
        paidBack: money,
        balance: money.describe('received minus paid back'),
      }),
    }),
  }),
}
