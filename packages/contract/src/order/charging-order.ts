import { z } from 'zod'
import { accountKind, postingKind } from '../accounting/ledger-codes.ts'
import { rowOf } from '../kit/fields.ts'
import { page, PageQuery } from '../kit/page.ts'
import { asFile, get, post } from '../kit/route.ts'
import { flag, id, row, time } from '../kit/wire.ts'
import { orderMenus } from '../menu-keys.ts'
import { DeviceCommandRow } from '../product/device-command.ts'
import { DeviceMessage } from '../product/device-detail.ts'
import { chargeLimit } from './order-codes.ts'
import { orderFields, reasonCodes } from './order-row.ts'

/** One line of the bill: the exact quantity and price. */
export type BillPart = z.infer<typeof BillPart>
const BillPart = row({
  label: z.string(),
  quantity: z.string(),
  unitPrice: z.string(),
  amount: z.string().describe('in yuan, not rounded'),
})

export type OrderDetail = z.infer<typeof OrderDetail>
export const OrderDetail = rowOf(orderFields).extend({
  wireNo: z.string().describe('order number used by the device'),
  limitBy: chargeLimit.schema,
  limitValue: z.int(),
  held: z.string(),
  tariffText: z.string().nullable().describe('prices as displayed'),
  tariffNo: z.int().nullable(),
  powerDw: z.int().nullable(),
  reportedAt: time.nullable(),
  online: z.boolean(),
  settledAt: time.nullable(),
  decidedBy: z.string().nullable(),
  decision: z.string().nullable(),
  reviewReasons: reasonCodes,
  parts: z.array(BillPart),
  explanation: z.array(z.string()),
})

/** Maximum points of a curve; each is the highest value of its interval. */
export const samplePoints = 500
export type ChargeSample = z.infer<typeof ChargeSample>
const ChargeSample = row({ at: time, powerDw: z.int().nullable(), energyDwh: z.int() })

export type OrderPosting = z.infer<typeof OrderPosting>
const OrderPosting = row({
  id: z.string(),
  kind: postingKind.schema,
  at: time,
  memo: z.string().nullable(),
  by: z.string().nullable(),
  digest: z.string().nullable().describe('digest of the complete posting; null: posted under another key'),
  lines: z.array(row({ account: accountKind.schema, amount: z.string().describe('in yuan, signed') })),
})

const menu = orderMenus
const one = { access: { menu }, params: row({ id }) } as const

/** One order with all data that its bill is based on. */
export const chargingOrder = {
  read: get('/seeker/api/chargingOrder/detail/{id}', { ...one, data: OrderDetail }),
  curve: get('/seeker/api/chargingOrder/curve/{id}', { ...one, data: z.array(ChargeSample) }),
  postings: get('/seeker/api/chargingOrder/postings/{id}', { ...one, data: z.array(OrderPosting) }),
  messages: get('/seeker/api/chargingOrder/messages/{id}', {
    ...one,
    query: PageQuery.extend({}),
    data: page(DeviceMessage),
  }),
  commands: get('/seeker/api/chargingOrder/commands/{id}', { ...one, data: z.array(DeviceCommandRow) }),
  evidence: post('/seeker/api/chargingOrder/evidence', {
    access: { menu, action: 'export' },
    audit: { module: '消费订单', does: '下载举证材料' },
    body: row({ id, clear: flag.optional().describe('with unmasked member data; requires the right to unmask') }),
    ...asFile,
  }),
}
