import { codes } from '../kit/codes.ts'

/** Status of a purchase of a pass. */
export const cardBuyStatus = codes({
  waiting: { code: 1, label: '待支付', tone: 'warn' },
  paid: { code: 2, label: '已支付', tone: 'ok' },
  cancelled: { code: 3, label: '已取消', tone: 'off' },
})
export const cardBuyFlow = cardBuyStatus.flow({
  pay: { from: ['waiting'], to: 'paid' },
  cancel: { from: ['waiting'], to: 'cancelled' },
})

/** Where today stands in the days of a pass. */
export const passPhase = codes({
  ahead: { code: 1, label: '待生效', tone: 'book' },
  current: { code: 2, label: '生效中', tone: 'ok' },
  over: { code: 3, label: '已到期', tone: 'off' },
})

/** A charge that a pass covered. */
export const passUseState = codes({
  charging: { code: 1, label: '充电中', tone: 'run' },
  unbilled: { code: 2, label: '待结算', tone: 'warn' },
  counted: { code: 3, label: '已计次', tone: 'ok' },
  returned: { code: 4, label: '不计次', tone: 'off' },
})
