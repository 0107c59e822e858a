import { accountKind } from '../accounting/ledger-codes.ts'
import { codes } from '../kit/codes.ts'

/** A lost card can be restored; a cancelled card cannot. */
export const storedCardStatus = codes({
  normal: { code: 0, label: '正常', tone: 'ok' },
  lost: { code: 1, label: '挂失', tone: 'warn' },
  cancelled: { code: 2, label: '注销', tone: 'off' },
})
export const storedCardFlow = storedCardStatus.flow({
  reportLoss: { from: ['normal'], to: 'lost' },
  cancelReportLoss: { from: ['lost'], to: 'normal' },
  /** Also for a card that is replaced. */
  cancel: { from: ['normal', 'lost'], to: 'cancelled' },
})

/** The status as staff see it: a card before its issue, and a cancelled one whose money is on its replacement. */
export const storedCardState = codes({
  normal: { code: 0, label: '正常', tone: 'ok' },
  lost: { code: 1, label: '挂失', tone: 'warn' },
  cancelled: { code: 2, label: '注销', tone: 'off' },
  stock: { code: 3, label: '库存', tone: 'book' },
  replaced: { code: 4, label: '已换', tone: 'link' },
})

/** A card with a known holder may hold more money by law. */
export const cardHolding = codes({
  named: { code: 1, label: '记名' },
  anonymous: { code: 2, label: '不记名' },
})

export const cardStepKind = codes({
  stocked: { code: 1, label: '入库', tone: 'book' },
  issued: { code: 2, label: '发卡', tone: 'ok' },
  lost: { code: 3, label: '挂失', tone: 'warn' },
  found: { code: 4, label: '解挂', tone: 'ok' },
  requested: { code: 5, label: '申请补卡', tone: 'run' },
  replaced: { code: 6, label: '补卡', tone: 'link' },
  turnedDown: { code: 7, label: '驳回补卡', tone: 'bad' },
  withdrawn: { code: 8, label: '撤销补卡', tone: 'off' },
  cancelled: { code: 9, label: '注销', tone: 'off' },
})

export const cardReplacementStatus = codes({
  waiting: { code: 1, label: '待审核', tone: 'warn' },
  approved: { code: 2, label: '已通过', tone: 'ok' },
  turnedDown: { code: 3, label: '已驳回', tone: 'bad' },
  withdrawn: { code: 4, label: '已撤销', tone: 'off' },
})
export const cardReplacementFlow = cardReplacementStatus.flow({
  approve: { from: ['waiting'], to: 'approved' },
  turnDown: { from: ['waiting'], to: 'turnedDown' },
  withdraw: { from: ['waiting'], to: 'withdrawn' },
})

/** The accounts of a card, by ledger account kind. */
export const cardAccount = codes({
  paid: { code: accountKind.code.cardPaid, label: '充值余额' },
  gift: { code: accountKind.code.cardGift, label: '赠送余额' },
  paidHeld: { code: accountKind.code.cardPaidHeld, label: '充值冻结' },
  giftHeld: { code: accountKind.code.cardGiftHeld, label: '赠送冻结' },
})
