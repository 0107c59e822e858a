import { parseYuan } from '@wattdeck/domain/money.ts'
import { z } from 'zod'
import { codes } from '../kit/codes.ts'
import { f } from '../kit/fields.ts'
import { defineList } from '../kit/list.ts'
import { type DataOf, get } from '../kit/route.ts'
import { screenRoutes } from '../kit/screen-routes.ts'
import { id, money, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'

export const shiftStatus = codes({
  open: { code: 1, label: '当班中', tone: 'run' },
  closed: { code: 2, label: '待确认', tone: 'warn' },
  handedOver: { code: 3, label: '已交接', tone: 'ok' },
})
export const shiftFlow = shiftStatus.flow({
  close: { from: ['open'], to: 'closed' },
  confirm: { from: ['closed'], to: 'handedOver' },
})

const menu = menuKey.offlineRecharge
const module = '交班'
const { change, approve } = screenRoutes({ menu, module })

export const deskShiftList = defineList('/seeker/api/deskShift', {
  menu,
  module,
  fields: {
    serialNo: f.no('交班单号', { width: 140 }),
    status: f.code('状态', shiftStatus, { width: 90 }),
    clerk: f.shown('收款人', { width: 110, object: { kind: 'staff', id: 'clerkId' } }),
    recharges: f.count('现金笔数', { width: 90 }),
    expected: f.money('应交金额', { width: 110 }),
    counted: f.money('实点金额', { optional: true, width: 110 }),
    short: f.money('长短款', { optional: true, width: 100, about: 'counted minus expected' }),
    reason: f.shown('差额原因', { optional: true, width: 180 }),
    received: f.money('实收金额', { optional: true, width: 110 }),
    receivedBy: f.shown('接收人', { optional: true, width: 110, object: { kind: 'staff', id: 'receivedById' } }),
    receivedAt: f.time('交接时间', { optional: true, width: 170 }),
    receivedReason: f.shown('交接说明', { optional: true, width: 180 }),
    rejected: f.money('交班后驳回', {
      width: 110,
      about: 'cash of recharges that were rejected after the shift was closed',
    }),
    openedAt: f.time('开始时间', { width: 170 }),
    closedAt: f.time('交班时间', { optional: true, width: 170 }),
    ...f.owner,
    clerkId: f.data(z.string()),
    receivedById: f.data(z.string().nullable()),
    own: f.data(z.boolean().describe('the shift of the caller, who cannot receive its cash')),
  },
  decided: [
    ['serialNo', 'openedAt'],
    ['status', 'closedAt'],
    ['clerk', 'recharges'],
    ['expected', 'counted'],
    ['short', 'reason'],
    ['received', 'receivedBy'],
    ['rejected'],
    ['siteName', 'agentName'],
  ],
  filter: {
    keyword: { label: '收款人', contains: ['clerk'] },
    own: { clerkId: { schema: id }, shiftId: { schema: id } },
    exact: ['status'],
    days: 'openedAt',
    owner: ['organise', 'agent', 'site'],
  },
  exports: true,
})
export type DeskShift = DataOf<typeof deskShiftList.routes.list>['rows'][number]

/** Cash that was counted; zero is an amount here. */
const cash = z.string().transform((value, context) => {
  const fen = /^0(\.0{1,2})?$/.test(value) ? 0n : parseYuan(value)
  if (fen !== undefined) return fen
  context.addIssue({ code: 'custom', message: '请输入正确的金额（0-9999999.99之间，最多两位小数）' })
  return z.NEVER
})

/** A clerk hands over the cash of the desk: the clerk counts and closes, a second person counts and receives. */
export const deskShift = {
  ...deskShiftList.routes,
  /** The open shifts of the caller; at most one in an organisation. */
  current: get('/seeker/api/deskShift/current', {
    access: { menu, action: 'add' },
    query: row({}),
    data: row({
      rows: z.array(
        row({
          id: z.string(),
          serialNo: z.string(),
          organiseName: z.string(),
          openedAt: time,
          recharges: z.int(),
          waiting: z.int().describe('of them not yet approved'),
          expected: money,
        }),
      ),
    }),
  }),
  close: change(
    '/seeker/api/deskShift/close',
    '交班',
    {
      id,
      expected: money.describe('the sum that was displayed; a different sum refuses the close'),
      counted: cash,
      reason: text(200, '差额原因').optional().describe('required when counted differs from expected'),
    },
    { action: 'add', idempotent: true },
  ),
  confirm: approve(
    '/seeker/api/deskShift/confirm',
    '确认交接',
    {
      id,
      received: cash,
      reason: text(200, '交接说明').optional().describe('required when received differs from counted'),
    },
    { idempotent: true },
  ),
}
