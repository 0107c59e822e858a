import { z } from 'zod'
import { exportList } from '../kit/bulk.ts'
import { page, PageQuery } from '../kit/page.ts'
import { get } from '../kit/route.ts'
import { created, screenRoutes } from '../kit/screen-routes.ts'
import { date, id, money, row, text, time } from '../kit/wire.ts'
import { menuKey } from '../menu-keys.ts'
import { accountKind, postingKind } from './ledger-codes.ts'
import { payProvider } from './pay-codes.ts'
import { breakKind, breakStatus, reconPair, repairAction, repairState, runStatus } from './recon-codes.ts'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export type ReconRun = z.infer<typeof ReconRun>
export const ReconRun = row({
  id: z.string(),
  day,
  organiseName: z.string(),
  merchantName: z.string().nullable().describe('null: the run compares orders, ledger and devices of the organisation'),
  provider: payProvider.schema.nullable(),
  status: runStatus.schema,
  problem: z.string().nullable(),
  ownCount: z.int(),
  ownAmount: money,
  otherCount: z.int().describe('from the channel bill; without a merchant, from the ledger'),
  otherAmount: money,
  breaks: z.int().describe('differences found for this day, open or closed'),
  openBreaks: z.int(),
  finishedAt: time.nullable(),
  tookMs: z.int().nullable(),
})

export type ReconBreak = z.infer<typeof ReconBreak>
export const ReconBreak = row({
  id: z.string(),
  breakNo: z.string(),
  day,
  organiseName: z.string(),
  merchantName: z.string().nullable(),
  pair: reconPair.schema,
  kind: breakKind.schema,
  subject: z.string().describe('number of the payment, refund or order'),
  ours: money.nullable(),
  theirs: money.nullable(),
  words: z.string().nullable(),
  ownerId: z.string().nullable(),
  ownerName: z.string().nullable(),
  status: breakStatus.schema,
  repairWaits: z.boolean().describe('a repair request waits for a decision'),
  foundAt: time,
  closedAt: time.nullable(),
  closedBy: z.string().nullable(),
  why: z.string().nullable(),
})

export const breakColumns = {
  breakNo: '差异编号',
  day: '账期',
  kind: '差异类型',
  status: '状态',
  pair: '核对项',
  subject: '单号',
  ours: '平台金额',
  theirs: '对照金额',
  words: '说明',
  merchantName: '商户',
  organiseName: '所属机构',
  ownerName: '负责人',
  foundAt: '发现时间',
  closedAt: '关闭时间',
  closedBy: '关闭人',
  why: '处理说明',
} as const

/** One fact of a record: its label and its value. */
const facts = z.array(row({ label: z.string(), value: z.string() }))

const Repair = row({
  id: z.string(),
  action: repairAction.schema,
  reason: z.string(),
  status: repairState.schema,
  own: z.boolean().describe('requested by the caller, who cannot decide on it'),
  createdBy: z.string(),
  createdAt: time,
  decidedBy: z.string().nullable(),
  decidedAt: time.nullable(),
  decision: z.string().nullable(),
})

export type BreakDetail = z.infer<typeof BreakDetail>
export const BreakDetail = ReconBreak.extend({
  orderId: z.string().nullable(),
  deviceId: z.string().nullable().describe('device of the order'),
  payOrderId: z.string().nullable(),
  payNo: z.string().nullable(),
  canQuery: z.boolean().describe('the payment can be queried at the provider'),
  order: facts,
  channel: facts,
  device: facts,
  ledger: z.array(
    row({
      postingId: z.string(),
      kind: postingKind.schema,
      account: accountKind.schema,
      amount: money,
      at: time,
    }),
  ),
  repairs: z.array(Repair),
})

/** A repair and its postings. */
export type RepairOption = z.infer<typeof RepairOption>
export const RepairOption = row({
  action: repairAction.schema,
  problem: z.string().nullable().describe('why the repair is not possible now'),
  lines: z.array(row({ account: accountKind.schema, owner: z.string(), before: money, amount: money, after: money })),
})

const menu = menuKey.reconciliation
const module = '对账'
const { read, change, approve } = screenRoutes({ menu, module })
const editing = { menu, action: 'edit' } as const

export const reconciliation = {
  /** Differences. */
  list: read('/seeker/api/reconciliation/pageList', {
    query: PageQuery.extend({
      subject: z
        .string()
        .trim()
        .regex(/^[\w-]{1,64}$/, '请输入正确的单号')
        .optional()
        .describe('complete number of the difference or of its subject'),
      kind: breakKind.wire.optional(),
      pair: reconPair.wire.optional(),
      status: breakStatus.wire.optional(),
      ownerId: id.optional(),
      organiseId: id.optional(),
      merchantId: id.optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(ReconBreak),
  }),
  /** Days and merchants, newest first. */
  runs: read('/seeker/api/reconciliation/runs', {
    query: PageQuery.extend({
      status: runStatus.wire.optional(),
      organiseId: id.optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    data: page(ReconRun),
  }),
  detail: read('/seeker/api/reconciliation/detail/{id}', { params: row({ id }), data: BreakDetail }),
  /** Staff of the organisation to whom a difference can be assigned. */
  people: read('/seeker/api/reconciliation/people/{id}', {
    params: row({ id }),
    data: z.array(row({ id: z.string(), name: z.string() })),
  }),
  options: get('/seeker/api/reconciliation/options/{id}', {
    access: editing,
    params: row({ id }),
    data: z.array(RepairOption),
  }),
  /** Repeats the reconciliation of a day, for every merchant of the organisation and for its orders. */
  run: change('/seeker/api/reconciliation/run', '发起对账', {
    day: date,
    organiseId: id.optional().describe('required for platform users'),
  }),
  assign: change('/seeker/api/reconciliation/assign', '指派差异', { id, userId: id }),
  /** Queries the provider now. The worker books the result and reconciles the day again. */
  query: change('/seeker/api/reconciliation/query', '差异查单', { id }),
  ask: change(
    '/seeker/api/reconciliation/ask',
    '申请处理差异',
    { id, action: repairAction.wire, reason: text(200, '原因') },
    { idempotent: true, data: created },
  ),
  approve: approve('/seeker/api/reconciliation/approve', '通过处理差异', { repairId: id }, { idempotent: true }),
  turnDown: approve('/seeker/api/reconciliation/turnDown', '驳回处理差异', {
    repairId: id,
    reason: text(200, '驳回原因'),
  }),
  withdraw: change('/seeker/api/reconciliation/withdraw', '撤销处理差异', { repairId: id }),
  exportList: exportList('/seeker/api/reconciliation/export', { menu, module }),
}
