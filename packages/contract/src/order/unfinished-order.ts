import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { codes } from '../kit/codes.ts'
import { page, PageQuery } from '../kit/page.ts'
import { done, get, post } from '../kit/route.ts'
import { id, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { orderFields, orderQuery, shownTotal } from './order-row.ts'

/** What is wrong with a charge that has not ended. */
export const openMark = codes({
  offline: { code: 'offline', label: '离线', tone: 'bad' },
  overdue: { code: 'overdue', label: '超时', tone: 'warn' },
  noBill: { code: 'noBill', label: '无账单', tone: 'warn' },
})

export type OpenOrder = z.infer<typeof OpenOrder>
export const OpenOrder = row({
  ...orderFields,
  held: z.string().describe('money put aside for it, in yuan'),
  powerDw: z.int().nullable().describe('as last reported, in 1/10 W'),
  reportedAt: time.nullable(),
  expectedEndAt: time.nullable().describe('by what was asked for; otherwise when it must end at the latest'),
  marks: z.array(openMark.schema),
})

export const openColumns = {
  held: '预付金额',
  power: '当前功率（W）',
  reportedAt: '最近上报',
  expectedEndAt: '预计结束',
  marks: '异常标记',
} as const

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

export const unfinishedOrder = {
  list: get('/seeker/api/unfinishedOrder/pageList', {
    access: { menu },
    query: PageQuery.extend({ ...orderQuery, mark: openMark.wire.optional() }),
    data: page(OpenOrder),
  }),
  exportList: exportList('/seeker/api/unfinishedOrder/export', { menu, module }),
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
}
