import { z } from 'zod'
import { plugStatus } from '../product/device-codes.ts'
import { chargeLimit, orderStatus } from '../order/order-codes.ts'
import { aboutPerson } from '../kit/privacy.ts'
import { get, post } from '../kit/route.ts'
import { id, phone, row, text, time, whole, yuan } from '../kit/wire.ts'

/** An amount in replies: yuan as decimal text. */
const amount = z.string().regex(/^-?\d+\.\d\d$/)
const module = '开放接口'
const deviceNo = z.string().regex(/^[0-9A-Za-z]{4,32}$/, '设备编号格式不正确')
const portNo = whole(1, 24)
/** The requested limit: at most one of the three, none for a full battery. The server calculates every price. */
const input = {
  deviceNo: deviceNo.optional(),
  portNo: portNo.optional(),
  code: z.string().max(200).optional().describe('text of the scanned code, instead of device and port'),
  limitBy: chargeLimit.wire,
  amount: yuan.optional(),
  minutes: whole(1, 10_080).optional(),
  energyWh: whole(1, 1_000_000).optional(),
}
const couponId = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})$/)
  .optional()
  .describe('the coupon to use, 0 for none; without it the one that saves most')

export type OpenPort = z.infer<typeof OpenPort>
export const OpenPort = row({
  deviceNo: z.string(),
  deviceName: z.string(),
  siteName: z.string().nullable(),
  portNo: z.int(),
  status: plugStatus.schema,
  online: z.boolean(),
  canStart: z.boolean(),
  why: z.string().nullable().describe('reason as text if canStart is false'),
  price: z.string().nullable().describe('价格公示'),
  presets: z.array(row({ by: z.enum(['money', 'minutes', 'energy']), value: z.int() })),
})

export const OpenMember = row({
  memberId: z.string(),
  nickname: z.string(),
  balance: amount,
  gift: amount,
  held: amount,
})

export type OpenOrder = z.infer<typeof OpenOrder>
export const OpenOrder = row({
  orderNo: z.string(),
  memberId: z.string(),
  deviceNo: z.string(),
  portNo: z.int(),
  status: orderStatus.schema,
  held: amount,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  seconds: z.int().nullable(),
  energyWh: z.int().nullable(),
  powerW: z.int().nullable(),
  stopReason: z.string().nullable(),
  electricity: amount,
  service: amount,
  occupancy: amount,
  total: amount.describe('what the payer owes, after discounts'),
  discount: amount,
  explanation: z.array(z.string()).describe('explanation of the price as text'),
})

export const openCharging = {
  port: get('/open/api/port', {
    access: 'signed',
    query: row({ deviceNo: deviceNo.optional(), portNo: portNo.optional(), code: z.string().max(200).optional() }),
    data: OpenPort,
  }),
  /** Identifies a member by app and open id, and creates a new member if needed. */
  saveMember: post('/open/api/member', {
    access: 'signed',
    audit: { module, does: '登记会员' },
    idempotent: true,
    body: row({
      appId: text(40, '应用'),
      openId: aboutPerson(text(64, 'OpenID')),
      unionId: aboutPerson(text(64, 'UnionID')).optional(),
      nickname: aboutPerson(text(40, '昵称')),
      phone: phone.optional(),
    }),
    data: row({ memberId: z.string() }),
  }),
  member: get('/open/api/member/{memberId}', { access: 'signed', params: row({ memberId: id }), data: OpenMember }),
  /** The amount that a request would reserve. */
  estimate: post('/open/api/charge/estimate', {
    access: 'signed',
    audit: 'none',
    body: row({ memberId: id.optional().describe('applies the discounts of this member'), couponId, ...input }),
    data: row({ held: amount, text: z.array(z.string()) }),
  }),
  /**
   * Up to ten million a day: the order and its command already record the request and its result permanently. An audit
   * log entry would add nothing, and all charges of a brand would wait for its hash chain.
   */
  start: post('/open/api/charge/start', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({ memberId: id, couponId, ...input }),
    data: row({ orderNo: z.string(), held: amount }),
  }),
  stop: post('/open/api/charge/stop', {
    access: 'signed',
    audit: 'none',
    idempotent: true,
    body: row({ orderNo: id }),
    data: row({ orderNo: z.string() }),
  }),
  order: get('/open/api/charge/{orderNo}', { access: 'signed', params: row({ orderNo: id }), data: OpenOrder }),
}
