import { z } from 'zod'
import { personal } from '../kit/personal.ts'
import { date, id, phone, row, time } from '../kit/wire.ts'
import { ownerIds, ownerNames } from '../system/ownership.ts'
import { orderStatus, reviewReason, startMode } from './order-codes.ts'

/** An order as every list of orders shows it. Amounts are yuan in decimal text. */
export const orderFields = {
  id: z.string().describe('the number that people see; it holds the moment the order was made'),
  memberId: z.string().nullable().describe('null: no member is known'),
  memberName: personal('name').nullable().describe('null: nobody is known, or only a card'),
  memberPhone: personal('phone').nullable(),
  cardNo: personal('cardNo').nullable().describe('of the card that began it'),
  ...ownerNames,
  deviceId: z.string(),
  deviceNo: z.string(),
  deviceName: z.string().nullable().describe('null: the device belongs to somebody else now'),
  portNo: z.int(),
  typeName: z.string(),
  startMode: startMode.schema,
  tariffName: z.string().nullable(),
  status: orderStatus.schema,
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  durationS: z.int().nullable(),
  energyDwh: z.int().nullable().describe('1/10000 kWh'),
  peakPowerDw: z.int().nullable().describe('1/10 W'),
  electricity: z.string(),
  service: z.string(),
  occupancy: z.string(),
  total: z.string(),
  paid: z.string().describe('of the total, from money that was paid in'),
  gift: z.string().describe('of the total, from money that was given'),
  refunded: z.string(),
  stopReason: z.string().nullable().describe('in words'),
}
export type OrderRow = z.infer<typeof OrderRow>
export const OrderRow = row(orderFields)

/** Who pays, in one line: the person, the card, or both. */
export const payerText = ({
  memberName,
  memberPhone,
  cardNo = null,
}: Pick<OrderRow, 'memberName' | 'memberPhone'> & Partial<Pick<OrderRow, 'cardNo'>>) =>
  [memberName, memberPhone, cardNo === null ? null : `卡 ${cardNo}`].filter((part) => part !== null).join(' ')

/** What the lists show and a file holds. */
export const orderColumns = {
  id: '订单号',
  status: '状态',
  member: '用户',
  deviceNo: '设备编号',
  deviceName: '设备名称',
  portNo: '端口',
  typeName: '设备类型',
  organiseName: '所属机构',
  agentName: '所属代理商',
  siteName: '所属站点',
  startMode: '启动方式',
  tariffName: '消费标准',
  startedAt: '开始时间',
  endedAt: '结束时间',
  duration: '充电时长',
  energy: '电量（kWh）',
  peakPower: '峰值功率（W）',
  electricity: '电费',
  service: '服务费',
  occupancy: '占位费',
  total: '应收',
  paid: '充值支付',
  gift: '赠送抵扣',
  refunded: '退款',
  stopReason: '结束原因',
  createdAt: '下单时间',
} as const

export const deviceNo = z
  .string()
  .trim()
  .regex(/^[\w-]{1,32}$/, '请输入正确的设备编号')

/** What every list of orders is filtered by. */
export const orderQuery = {
  orderNo: id.optional().describe('the whole number'),
  phone: phone.optional().describe('of the member'),
  deviceNo: deviceNo.optional().describe('the whole number'),
  deviceTypeId: id.optional(),
  startMode: startMode.wire.optional(),
  ...ownerIds,
  from: date.optional().describe('the day it was made'),
  to: date.optional(),
}

/** Whole months of money are added up, and nothing beyond: a sum over years would read every order there is. */
export const totalsMaxDays = 31
export const totalsQuery = { ...orderQuery, from: date, to: date }
export const OrderTotals = row({
  count: z.int(),
  sums: row({
    energy: z.string(),
    electricity: z.string(),
    service: z.string(),
    occupancy: z.string(),
    total: z.string(),
    refunded: z.string(),
  }),
})

const dayMs = 86_400_000
/** How many days a filter spans, both ends counted; undefined as long as one end is open. */
export const daysOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1

export const reasonCodes = z.array(reviewReason.schema)

/** An amount as the server has shown it. It is compared, never billed: another one means that something has changed. */
export const shownTotal = z.string().regex(/^\d{1,7}\.\d{2}$/, '金额格式不正确')
