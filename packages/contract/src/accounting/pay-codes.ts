import { codes } from '../kit/codes.ts'
import { withoutOptions } from '../kit/offered-codes.ts'

/**
 * 支付状态: 0, 1 and 2 are defined by the specification; 3 is ours. A payment that arrives after closing is refunded
 * automatically. The tables store other numbers (`stored-status.ts` of the server).
 */
export const payStatus = withoutOptions(
  codes({
    free: { code: 0, label: '无需支付', tone: 'off' },
    paid: { code: 1, label: '已支付', tone: 'ok' },
    unpaid: { code: 2, label: '未支付', tone: 'warn' },
    closed: { code: 3, label: '已关闭', tone: 'off' },
  }),
  ['free'],
)

/** 支付渠道 in use; codes of `channel` in ledger-codes.ts. */
export const payProvider = codes({
  wechat: { code: 1, label: '微信支付', tone: 'ok' },
  alipay: { code: 2, label: '支付宝', tone: 'run' },
})

/** How a recharge was paid: by a provider, or at the desk. Codes of `channel` in ledger-codes.ts. */
export const rechargeProvider = codes({
  wechat: { code: 1, label: '微信支付', tone: 'ok' },
  alipay: { code: 2, label: '支付宝', tone: 'run' },
  offline: { code: 9, label: '线下充值', tone: 'book' },
})

export const payWay = codes({
  code: { code: 1, label: '扫码' },
  app: { code: 2, label: '应用内' },
})

/** 业务类型: the purpose of a payment. */
export const payPurpose = withoutOptions(
  codes({
    charge: { code: 1, label: '充电' },
    recharge: { code: 2, label: '充值' },
    card: { code: 3, label: '购卡' },
    occupancy: { code: 4, label: '占位' },
    test: { code: 9, label: '一分钱测试' },
  }),
  ['charge', 'occupancy'],
)

/** Status of a recharge. */
export const rechargeStatus = codes({
  waiting: { code: 'WAIT_PAY_STATUS', label: '待支付', tone: 'warn' },
  paid: { code: 'ALREADY_PAY_STATUS', label: '已支付', tone: 'ok' },
  cancelled: { code: 'CANCEL_STATUS', label: '已取消', tone: 'off' },
})

export const rechargeTarget = codes({
  wallet: { code: 1, label: '会员钱包' },
  card: { code: 2, label: '储值卡账户' },
})

/** A refund on its way to the payer. */
export const payRefundStatus = codes({
  toSend: { code: 1, label: '待发起', tone: 'book' },
  processing: { code: 2, label: '退款中', tone: 'run' },
  arrived: { code: 3, label: '已到账', tone: 'ok' },
  refused: { code: 4, label: '渠道拒绝', tone: 'bad' },
  abnormal: { code: 5, label: '退款异常', tone: 'bad' },
})

export const payRefundPurpose = codes({
  recharge: { code: 1, label: '充值退款' },
  late: { code: 2, label: '逾期支付退回' },
  test: { code: 3, label: '一分钱测试' },
  repair: { code: 4, label: '对账修复' },
  order: { code: 5, label: '订单退款' },
})

/** 商户模式. */
export const merchantMode = codes({
  direct: { code: 1, label: '直连商户' },
  partner: { code: 2, label: '服务商' },
})
