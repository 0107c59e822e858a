import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, done, get, post } from '../kit/route.ts'
import { id, money, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { orderBody, orderFilter, orderHead, shownTotal, wattsOf, wholeDays } from './order-row.ts'

/** What is wrong with a charge that has not ended. */
export const openMark = codes({
  offline: { code: 'offline', label: '离线', tone: 'bad' },
  overdue: { code: 'overdue', label: '超时', tone: 'warn' },
  noBill: { code: 'noBill', label: '无账单', tone: 'warn' },
})

/** What a forced settlement would bill, from what was last heard of the device. */
export type SettlePreview = z.infer<typeof SettlePreview>
export const SettlePreview = row({
  reportedAt: time.nullable().describe('null: the device never reported, so nothing is billed'),
  durationS: z.int(),
  energyDwh: z.int(),
  electricity: z.string(),
  service: z.string(),
  total: z.string(),
  returned: z.string().describe('of the money put aside, what goes back'),
  explanation: z.array(z.string()),
})

const menu = menuKey.unfinishedOrder
const module = '未完成订单'
const control = { menu, action: 'control' } as const
const approve = { menu, action: 'approve' } as const
const given = row({ commandId: z.string() })

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
      about: 'by what was asked for; otherwise when it must end at the latest',
    }),
    reportedAt: f.time('最近上报', { optional: true, width: 110 }),
    held: f.money('预付金额', { width: 100, about: 'money put aside for it, in yuan' }),
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
  /** What runs now. Nothing of it is billed. */
  totals: get('/seeker/api/unfinishedOrder/totals', {
    access: { menu },
    query: row({ ...unfinishedOrderList.filterShape, ...wholeDays }),
    data: row({
      count: z.int(),
      sums: row({
        energy: z.string().describe('as last reported, in kWh'),
        power: z.string().describe('as last reported, in W'),
        held: money.describe('put aside'),
      }),
    }),
  }),
  stop: post('/seeker/api/unfinishedOrder/stop', {
    access: control,
    audit: { module, does: '远程停止充电' },
    idempotent: true,
    body: row({ id }),
    data: given,
  }),
  query: post('/seeker/api/unfinishedOrder/query', {
    access: control,
    audit: { module, does: '查询端口' },
    idempotent: true,
    body: row({ id }),
    data: given,
  }),
  preview: get('/seeker/api/unfinishedOrder/preview/{id}', {
    access: approve,
    params: row({ id }),
    data: SettlePreview,
  }),
  /** Ends an order whose device is gone. The amount is the server's; the sender only says which one was shown. */
  settle: post('/seeker/api/unfinishedOrder/settle', {
    access: approve,
    audit: { module, does: '强制结算' },
    idempotent: true,
    body: row({ id, total: shownTotal, reason: text(200, '结算原因') }),
    data: done,
  }),
  /** Ends an order that never started, of which its device knows nothing: the money put aside goes back. */
  close: post('/seeker/api/unfinishedOrder/close', {
    access: approve,
    audit: { module, does: '关闭未启动订单' },
    idempotent: true,
    body: row({ id, reason: text(200, '关闭原因') }),
    data: done,
  }),
}
