import { payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { publishToOrganisation } from '../../kit/events/outbox.ts'
import { askRefund } from './ask-refund.ts'
import { writeTested } from './merchant.store.ts'
import type { PaidHook, RefundHook } from './pay-hooks.ts'
import { bookAside } from './settle-payment.ts'

/** One fen that shows that keys and addresses are right: it comes, and goes back at once. */
export const testHook: PaidHook = {
  paid: async (db, scope, pay) => {
    await bookAside(db, pay)
    await askRefund(db, {
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

/** Only when it is back has every part been tried. */
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

/** What came too late is nobody's order; where it cannot go back, those who look after payments are told. */
export const lateHook: RefundHook = { arrived: nothing, refused: nothing, abnormal: nothing }
