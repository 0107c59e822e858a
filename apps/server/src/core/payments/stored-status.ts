import { payStatus, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { storedCodes } from '../../kit/db/stored-codes.ts'

/** `pay_order.status`, `recharge_order.status`: tables store small numbers, the wire uses the codes of the specification. */
export const storedPay = storedCodes(payStatus, { unpaid: 1, paid: 2, closed: 3 })
export const storedRecharge = storedCodes(rechargeStatus, { waiting: 1, paid: 2, cancelled: 3 })
