import { codes } from '../kit/codes.ts'

/** 核对项: the two of the four records that were compared. Our own records are orders, payments and refunds. */
export const reconPair = codes({
  channel: { code: 1, label: '订单与渠道账单' },
  ledger: { code: 2, label: '订单与账务' },
  device: { code: 3, label: '订单与设备' },
})

/** 差异类型. */
export const breakKind = codes({
  missing: { code: 1, label: '短款（平台有、渠道无）', tone: 'bad' },
  extra: { code: 2, label: '长款（渠道有、平台无）', tone: 'bad' },
  amount: { code: 3, label: '金额不符', tone: 'bad' },
  late: { code: 4, label: '跨日', tone: 'book' },
  duplicate: { code: 5, label: '重复', tone: 'bad' },
  refund: { code: 6, label: '退款未入账', tone: 'warn' },
  fee: { code: 7, label: '手续费偏差', tone: 'warn' },
  unbooked: { code: 8, label: '账务缺失', tone: 'bad' },
  orphan: { code: 9, label: '账务多出', tone: 'bad' },
  device: { code: 10, label: '设备不符', tone: 'warn' },
})
export type BreakKindName = keyof typeof breakKind.code

/** An open difference blocks the settlement of its organisation. */
export const breakStatus = codes({
  open: { code: 1, label: '待处理', tone: 'bad' },
  repaired: { code: 2, label: '已修复', tone: 'ok' },
  explained: { code: 3, label: '已说明', tone: 'book' },
  gone: { code: 4, label: '已自行消除', tone: 'off' },
})
export const breakFlow = breakStatus.flow({
  repair: { from: ['open'], to: 'repaired' },
  explain: { from: ['open'], to: 'explained' },
})

export const runStatus = codes({
  waiting: { code: 1, label: '排队中', tone: 'book' },
  running: { code: 2, label: '核对中', tone: 'run' },
  even: { code: 3, label: '一致', tone: 'ok' },
  uneven: { code: 4, label: '有差异', tone: 'bad' },
  noBill: { code: 5, label: '账单未就绪', tone: 'warn' },
  failed: { code: 6, label: '核对失败', tone: 'bad' },
})

/** 处理方式. The server derives the booked amount from the difference; the operator enters none. */
export const repairAction = codes({
  explain: { code: 1, label: '仅备注，不入账', tone: 'book' },
  correct: { code: 2, label: '补记入账', tone: 'ok' },
  writeOff: { code: 3, label: '由机构承担', tone: 'warn' },
})

export const repairState = codes({
  waiting: { code: 1, label: '待审批', tone: 'warn' },
  approved: { code: 2, label: '已通过', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  withdrawn: { code: 4, label: '已撤销', tone: 'off' },
})
export const repairFlow = repairState.flow({
  approve: { from: ['waiting'], to: 'approved' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  withdraw: { from: ['waiting'], to: 'withdrawn' },
})
