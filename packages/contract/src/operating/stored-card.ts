import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { z } from 'zod'
import { WalletEvent } from '../accounting/statement.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { page, PageQuery } from '../kit/page.ts'
import { personal } from '../kit/personal.ts'
import { asFile, type DataOf, get, post } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { date, flag, id, money, personKeyword, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { ImportSheet } from '../system/batch.ts'
import { ownerIds } from '../system/ownership.ts'
import { cardAccount, cardHolding, cardStepKind, storedCardState } from './stored-card-codes.ts'

const menu = menuKey.storedCard
const module = '储值卡管理'
const { read, change, create, approve } = screenRoutes({ menu, module })

/** A replacement that waits for another person. */
const Waiting = row({
  id: z.string(),
  newCardNo: z.string(),
  reason: z.string(),
  createdBy: z.string(),
  createdAt: time,
  own: z.boolean().describe('requested by the caller, who cannot decide on it'),
})

export const storedCardList = defineList('/seeker/api/storedCard', {
  menu,
  module,
  fields: {
    cardNo: f.no('卡号', { width: 150 }),
    state: f.code('状态', storedCardState, { width: 180 }),
    chipNo: f.person('物理卡号', 'chipNo', { width: 150 }),
    holding: f.code('持卡方式', cardHolding, { width: 90 }),
    holderName: f.person('持卡人', 'name', { optional: true, width: 120, object: { kind: 'member', id: 'memberId' } }),
    holderPhone: f.person('手机号', 'phone', { optional: true, width: 130 }),
    balance: f.money('余额', { width: 140 }),
    gift: f.money('赠送余额', { width: 100 }),
    frozen: f.money('冻结', { width: 100 }),
    ...f.owner,
    issuedAt: f.time('发卡时间', { optional: true, width: 190 }),
    usedAt: f.time('最近使用', { optional: true, width: 170 }),
    createdBy: f.shown('发卡人', { optional: true, width: 110 }),
    memberId: f.data(z.string().nullable()),
    charging: f.data(z.boolean().describe('an open charge is paid by the card')),
    waiting: f.data(Waiting.nullable()),
  },
  decided: [
    ['cardNo', 'chipNo'],
    ['state', 'holding'],
    ['holderName', 'holderPhone'],
    ['balance', 'gift'],
    ['frozen'],
    ['siteName', 'agentName'],
    ['issuedAt', 'usedAt'],
  ],
  filter: {
    own: {
      keyword: {
        title: '卡号/手机号',
        schema: personKeyword.describe('complete card number, or complete phone number of the holder'),
      },
      waits: { schema: flag.describe('whether a replacement waits for a decision') },
    },
    exact: ['state', 'holding'],
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type StoredCard = DataOf<typeof storedCardList.routes.list>['rows'][number]

const CardLink = row({ id: z.string(), cardNo: z.string() })
export type CardDetail = z.infer<typeof CardDetail>
export const CardDetail = row({
  card: storedCardList.routes.list.data.shape.rows.element,
  replacedBy: CardLink.nullable(),
  replaces: CardLink.nullable(),
  steps: z.array(
    row({
      id: z.string(),
      kind: cardStepKind.schema,
      at: time,
      by: z.string(),
      byId: z.string(),
      reason: z.string().nullable(),
      moved: money.nullable().describe('moved to the new card'),
    }),
  ),
})

export type Holder = z.infer<typeof Holder>
const Holder = row({
  id: z.string(),
  name: personal('name'),
  phone: personal('phone').nullable(),
  siteName: z.string().nullable(),
})

/** The number that is printed on a card. */
export const printedNo = z
  .string({ error: '请输入卡号' })
  .trim()
  .regex(/^\d{4,20}$/, '卡号须为4到20位数字')
/** The number that readers report. Zeros alone are what a reader reports without a card. */
export const readNo = z
  .string({ error: '请输入物理卡号' })
  .trim()
  .regex(/^[0-9A-Za-z:_-]{4,64}$/, '物理卡号须为4到64位字母或数字')
  .refine((value) => !/^0+$/.test(value), '物理卡号不能全为0')
const reason = text(200, '原因')
const newNumbers = {
  cardNo: printedNo,
  chipNo: readNo.optional().describe('required unless the card is in stock'),
}

/** Cards with money of one organisation. Money comes onto a card by a recharge only, never by its issue. */
export const storedCard = {
  ...storedCardList.routes,
  states: read('/seeker/api/storedCard/states', {
    query: row(storedCardList.filterShape),
    data: row({ rows: z.array(row({ state: storedCardState.schema, count: z.int() })) }),
  }),
  detail: read('/seeker/api/storedCard/detail/{id}', { params: row({ id }), data: CardDetail }),
  statement: read('/seeker/api/storedCard/statement/{id}', {
    params: row({ id }),
    query: PageQuery.extend({
      kind: cardAccount.wire.default(cardAccount.code.paid),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(WalletEvent),
  }),
  holders: get('/seeker/api/storedCard/holders', {
    access: { menu, action: 'add' },
    query: row({ keyword: personKeyword.describe('complete phone number or member id') }),
    data: row({ rows: z.array(Holder) }),
  }),
  issue: create('/seeker/api/storedCard/save', '发卡', {
    ...newNumbers,
    memberId: id.optional().describe('the holder; without one the card is anonymous'),
    ...ownerIds,
  }),
  reportLoss: change('/seeker/api/storedCard/reportLoss', '挂失储值卡', { id, reason }),
  cancelReportLoss: change('/seeker/api/storedCard/cancelReportLoss', '解挂储值卡', { id, reason }),
  cancel: change('/seeker/api/storedCard/cancel', '注销储值卡', { id, reason }),
  /** A card without money is replaced at once; the replacement of one with money waits for another person. */
  replace: change(
    '/seeker/api/storedCard/replace',
    '补卡',
    { id, ...newNumbers, reason },
    { idempotent: true, data: row({ waits: z.boolean() }) },
  ),
  approve: approve('/seeker/api/storedCard/approve', '通过补卡', { replacementId: id }, { idempotent: true }),
  turnDown: approve('/seeker/api/storedCard/turnDown', '驳回补卡', { replacementId: id, reason }),
  withdraw: change('/seeker/api/storedCard/withdraw', '撤销补卡', { replacementId: id }),
  importTemplate: get('/seeker/api/storedCard/importTemplate', { access: { menu, action: 'import' }, ...asFile }),
  importSheet: post('/seeker/api/storedCard/import', {
    access: { menu, action: 'import' },
    audit: { module, does: '上传导入表格' },
    encoding: 'multipart',
    maxBytes: sheetMaxBytes,
    data: ImportSheet,
  }),
}
