import { payPurpose, payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { PayHooks } from './pay/pay-hooks.ts'
import { rechargeHook } from './pay/recharge.ts'
import { orderRefundHook } from './refund/order-refund.hook.ts'
import { rechargeRefundHook } from './refund/recharge-refund.ts'
import { lateHook, testBackHook, testHook } from './pay/test-payment.ts'

/** What each payment and each refund means to the part of the system that asked for it: api and worker read this. */
export const payHooks: PayHooks = {
  pay: new Map([
    [payPurpose.code.recharge, rechargeHook],
    [payPurpose.code.test, testHook],
  ]),
  refund: new Map([
    [payRefundPurpose.code.recharge, rechargeRefundHook],
    [payRefundPurpose.code.order, orderRefundHook],
    [payRefundPurpose.code.late, lateHook],
    [payRefundPurpose.code.test, testBackHook],
  ]),
}
