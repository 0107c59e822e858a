import { payPurpose, payRefundPurpose } from '@wattdeck/contract/accounting/pay-codes.ts'
import { passSaleHook } from '../core/payments/pass-sale.ts'
import type { PayHooks } from '../core/payments/pay-hooks.ts'
import { rechargeHook } from '../core/payments/recharge.ts'
import { orderRefundHook } from '../core/refunds/order-refund.hook.ts'
import { rechargeRefundHook } from '../core/refunds/recharge-refund.ts'
import { lateHook, testBackHook, testHook } from '../core/payments/test-payment.ts'

/** Hooks by purpose of a payment or refund, for the api and the worker. */
export const payHooks: PayHooks = {
  pay: new Map([
    [payPurpose.code.recharge, rechargeHook],
    [payPurpose.code.card, passSaleHook],
    [payPurpose.code.test, testHook],
  ]),
  refund: new Map([
    [payRefundPurpose.code.recharge, rechargeRefundHook],
    [payRefundPurpose.code.order, orderRefundHook],
    [payRefundPurpose.code.late, lateHook],
    [payRefundPurpose.code.test, testBackHook],
  ]),
}
