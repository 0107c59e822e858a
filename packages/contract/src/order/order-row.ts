import { z } from 'zod'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import { f, rowOf } from '../kit/fields.ts'
import { personal } from '../kit/personal.ts'
import { date, id, phone, row } from '../kit/wire.ts'
import { orderStatus, reviewReason, startMode } from './order-codes.ts'

type Payer = { memberName: string | null; memberPhone: string | null; cardNo?: string | null }
type Measured = { durationS: number | null; energyDwh: number | null; peakPowerDw: number | null }

/** The payer in one line: the member, the card, or both. */
export const payerText = ({ memberName, memberPhone, cardNo = null }: Payer) =>
  [memberName, memberPhone, cardNo === null ? null : `卡 ${cardNo}`].filter((part) => part !== null).join(' ')

export const wattsOf = (powerDw: number | null) => (powerDw === null ? null : wattText(powerDw))

/** The leading fields of every list of orders. */
export const orderHead = {
  id: f.no('订单号', {
    width: 190,
    object: { kind: 'order', id: 'id' },
    about: 'display number; it encodes the creation time',
  }),
  status: f.code('状态', orderStatus, { width: 90 }),
}

/** The fields after the columns of the individual list. */
export const orderBody = {
  member: f.derived('用户', (payer: Payer) => payerText(payer) || null, {
    width: 190,
    object: { kind: 'member', id: 'memberId' },
  }),
  deviceNo: f.shown('设备编号', { width: 120, object: { kind: 'device', id: 'deviceId' } }),
  portNo: f.count('端口', { width: 60 }),
  startedAt: f.time('开始时间', { optional: true, width: 170 }),
  endedAt: f.time('结束时间', { optional: true, width: 170 }),
  duration: f.derived('充电时长', ({ durationS }: Measured) => (durationS === null ? null : durationText(durationS)), {
    width: 120,
  }),
  energy: f.derived(
    '电量（kWh）',
    ({ energyDwh }: Measured) => (energyDwh === null ? null : { decimal: energyText(energyDwh) }),
    { width: 110 },
  ),
  total: f.money('应收', { width: 90 }),
  discount: f.money('优惠', {
    width: 90,
    hidden: true,
    about: 'what lowered the total: member price, coupon and pass',
  }),
  electricity: f.money('电费', { width: 90 }),
  service: f.money('服务费', { width: 90 }),
  occupancy: f.money('占位费', { width: 90, hidden: true }),
  paid: f.money('充值支付', { width: 100, hidden: true, about: 'part of the total paid from recharged money' }),
  gift: f.money('赠送抵扣', { width: 100, hidden: true, about: 'part of the total paid from gift money' }),
  refunded: f.money('退款', { width: 90, about: 'completed refunds' }),
  refunding: f.money('退款中', { width: 90, hidden: true, about: 'refunds requested or in progress' }),
  stopReason: f.shown('结束原因', { optional: true, width: 140, about: 'as text' }),
  startMode: f.code('启动方式', startMode, { width: 90 }),
  tariffName: f.shown('消费标准', { optional: true, width: 150, object: { kind: 'tariff', id: 'tariffId' } }),
  ...f.owner,
  typeName: f.shown('设备类型', { width: 150, hidden: true }),
  deviceName: f.shown('设备名称', {
    optional: true,
    width: 160,
    hidden: true,
    object: { kind: 'device', id: 'deviceId' },
    about: 'null: the device now belongs to another owner',
  }),
  peakPower: f.derived('峰值功率（W）', ({ peakPowerDw }: Measured) => wattsOf(peakPowerDw), {
    width: 120,
    hidden: true,
  }),
  createdAt: f.time('下单时间', { width: 170, hidden: true }),
  memberId: f.data(z.string().nullable().describe('null: the member is unknown')),
  memberName: f.data(personal('name').nullable().describe('null: unknown payer, or only a card is known')),
  memberPhone: f.data(personal('phone').nullable()),
  cardNo: f.data(personal('cardNo').nullable().describe('card that started the charge')),
  deviceId: f.data(z.string()),
  tariffId: f.data(z.string().nullable().describe('null: the caller cannot see the tariff')),
  durationS: f.data(z.int().nullable()),
  energyDwh: f.data(z.int().nullable().describe('1/10000 kWh')),
  peakPowerDw: f.data(z.int().nullable().describe('1/10 W')),
}
export const orderFields = { ...orderHead, ...orderBody }
/** The default columns of a list of orders: id, status, payer, place, time and amount. */
export const defaultOrderColumns = [
  ['id', 'createdAt'],
  ['status', 'stopReason'],
  ['member', 'startMode'],
  ['deviceNo', 'siteName'],
  ['portNo'],
  ['startedAt', 'endedAt'],
  ['energy', 'duration'],
  ['total', 'refunded'],
] as const
export type OrderRow = z.infer<typeof OrderRow>
const OrderRow = rowOf(orderFields)

export const deviceNo = z
  .string()
  .trim()
  .regex(/^[\w-]{1,32}$/, '请输入正确的设备编号')

/** The filter of every list of orders. The page adds the filter by device type, whose options come from the server. */
export const orderFilter = {
  own: {
    orderNo: { title: '订单号', schema: id.describe('complete number') },
    phone: { title: '用户手机号', schema: phone.describe('phone of the member') },
    deviceNo: { title: '设备编号', schema: deviceNo.describe('complete number') },
    deviceTypeId: { schema: id },
    memberId: { schema: id },
  },
  days: 'createdAt',
  owner: ['organise', 'agent', 'site'],
  exact: ['startMode'],
} as const

/** The longest period of totals in days: a sum over years would read every order. */
export const totalsMaxDays = 31
export const wholeDays = { from: date, to: date }
export const OrderTotals = row({
  count: z.int(),
  sums: row({
    energy: z.string(),
    electricity: z.string(),
    service: z.string(),
    occupancy: z.string(),
    total: z.string(),
    discount: z.string(),
    refunded: z.string().describe('completed refunds'),
    refunding: z.string().describe('refunds requested or in progress'),
  }),
})

const dayMs = 86_400_000
/** The number of days of a filter, both ends included; undefined while one end is open. */
export const daysOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1

export const reasonCodes = z.array(reviewReason.schema)

/**
 * The amount that the server has displayed. It is compared, never billed: a difference means that the data has changed.
 */
export const displayedTotal = z.string().regex(/^\d{1,7}\.\d{2}$/, '金额格式不正确')
