import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, money, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { orderBody, orderFilter, orderHead, displayedTotal, wattsOf, wholeDays } from './order-row.ts'

/** Problems of a charge that has not ended. */
export const openMark = codes({
  offline: { code: 'offline', label: '离线', tone: 'bad' },
  overdue: { code: 'overdue', label: '超时', tone: 'warn' },
  noBill: { code: 'noBill', label: '无账单', tone: 'warn' },
})

/** The bill of a forced settlement, based on the last report of the device. */
export type SettlePreview = z.infer<typeof SettlePreview>
export const SettlePreview = row({
  reportedAt: time.nullable().describe('null: the device never reported, so nothing is billed'),
  durationS: z.int(),
  energyDwh: z.int(),
  electricity: z.string(),
  service: z.string(),
  total: z.string(),
  returned: z.string().describe('released part of the reservation'),
  explanation: z.array(z.string()),
})

const menu = menuKey.unfinishedOrder
const module = '未完成订单'
const control = { menu, action: 'control' } as const
const approve = { menu, action: 'approve' } as const
const CommandId = row({ commandId: z.string() })

export const unfinishedOrderList = defineList('/seeker/api/unfinishedOrder', {
  menu,
  module,
  fields: {
    ...orderHead,
    marks: f.codes('异常标记', openMark, { width: 150 }),
    power: f.derived('当前功率（W）', ({ powerDw }: { powerDw: number | null }) => wattsOf(powerDw), { width: 120 }),
    expectedEndAt: f.time('预计结束', {
      optional: true,
      width: 170,
      about: 'by the requested limit; otherwise the latest possible end',
    }),
    reportedAt: f.time('最近上报', { optional: true, width: 110 }),
    held: f.money('预付金额', { width: 100, about: 'amount reserved for the order, in yuan' }),
    ...orderBody,
    powerDw: f.data(z.int().nullable().describe('as last reported, in 1/10 W')),
  },
  decided: [
    ['id', 'createdAt'],
    ['status', 'marks'],
    ['member', 'startMode'],
    ['deviceNo', 'siteName'],
    ['portNo'],
    ['power', 'energy'],
    ['duration', 'reportedAt'],
    ['held', 'expectedEndAt'],
  ],
  sorts: ['createdAt'],
  filter: {
    ...orderFilter,
    own: { ...orderFilter.own, mark: { title: '异常标记', schema: openMark.wire, codes: openMark } },
  },
  exports: true,
})
export type OpenOrder = DataOf<typeof unfinishedOrderList.routes.list>['rows'][number]

export const unfinishedOrder = {
  ...unfinishedOrderList.routes,
  /** Running charges, none of them billed. */
  totals: get('/seeker/api/unfinishedOrder/totals', {
    access: { menu },
    query: row({ ...unfinishedOrderList.filterShape, ...wholeDays }),
    data: row({
      count: z.int(),
      sums: row({
        energy: z.string().describe('as last reported, in kWh'),
        power: z.string().describe('as last reported, in W'),
        held: money.describe('reserved'),
      }),
    }),
  }),
  stop: post('/seeker/api/unfinishedOrder/stop', {
    access: control,
    audit: { module, does: '远程停止充电' },
    idempotent: true,
    body: row({ id }),
    data: CommandId,
  }),
  query: post('/seeker/api/unfinishedOrder/query', {
    access: control,
    audit: { module, does: '查询端口' },
    idempotent: true,
    body: row({ id }),
    data: CommandId,
  }),
  preview: get('/seeker/api/unfinishedOrder/preview/{id}', {
    access: approve,
    params: row({ id }),
    data: SettlePreview,
  }),
  /**
   * Ends an order whose device is unreachable. The server calculates the amount; the caller sends the displayed one.
   */
  settle: post('/seeker/api/unfinishedOrder/settle', {
    access: approve,
    audit: { module, does: '强制结算' },
    idempotent: true,
    body: row({ id, total: displayedTotal, reason: text(200, '结算原因') }),
    data: done,
  }),
  /** Ends an order that never started and is unknown to its device: the reserved money is released. */
  close: post('/seeker/api/unfinishedOrder/close', {
    access: approve,
    audit: { module, does: '关闭未启动订单' },
    idempotent: true,
    body: row({ id, reason: text(200, '关闭原因') }),
    data: done,
  }),
}
