import { payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { requestRefund } from './request-refund.ts'
import { writeTested } from './merchant.store.ts'
import type { PaidHook, RefundHook } from './pay-hooks.ts'
import { postRefundDue } from './settle-payment.ts'

/** A payment of one fen that tests keys and addresses; it is refunded at once. */
export const testHook: PaidHook = {
  paid: async (db, scope, pay) => {
    await postRefundDue(db, pay)
    await requestRefund(db, {
      payOrderId: pay.id,
      fen: pay.amountFen,
      purpose: payRefundPurpose.code.test,
      refId: pay.id,
      reason: '一分钱测试退回',
    })
  },
  closed: () => Promise.resolve(),
}

const nothing = () => Promise.resolve()

/** The test is complete only when the refund has arrived. */
export const testBackHook: RefundHook = {
  arrived: async (db, scope, { merchantId, organiseId }) => {
    await writeTested(db, merchantId)
    await publishToOrganisation(
      db,
      { organise_id: organiseId, agent_id: null, site_id: null },
      { kind: 'changed', list: 'paySetting' },
    )
  },
  refused: nothing,
  abnormal: nothing,
}

/** A late payment has no order to update; if its refund fails, `settleRefund` notifies staff. */
export const lateHook: RefundHook = { arrived: nothing, refused: nothing, abnormal: nothing }
