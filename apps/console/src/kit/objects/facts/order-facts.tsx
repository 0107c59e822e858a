import { payProvider, payPurpose, payStatus, rechargeStatus } from '@wattdeck/contract/accounting/pay-codes.ts'
import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { refundKind, refundStatus } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import * as cells from '../../display/cells.tsx'
import { factSource } from './fact-source.ts'

const yuan = (amount: string) => `¥${amount}`
type Payer = { memberName: string | null; memberPhone: string | null; cardNo?: string | null }
const payer = (row: Payer) => cells.text(payerText(row))

export const orderFacts = {
  order: factSource(
    chargingOrder.read,
    (id) => ({ params: { id } }),
    (order) => ({
      title: `…${order.id.slice(-6)}`,
      facts: [
        ['状态', cells.status(orderStatus, order.status)],
        ['用户', payer(order)],
        ['设备', `${order.deviceNo} / ${order.portNo} 号端口`],
        ['下单时间', cells.time(order.createdAt)],
        ['电量', order.energyDwh === null ? cells.dash : `${energyText(order.energyDwh)} kWh`],
        ['应收', yuan(order.total)],
      ],
    }),
  ),
  payment: factSource(
    payOrder.detail,
    (id) => ({ params: { id } }),
    (pay) => ({
      title: pay.payNo,
      facts: [
        ['支付状态', cells.status(payStatus, pay.status)],
        ['支付金额', yuan(pay.amount)],
        ['业务类型', cells.label(payPurpose, pay.purpose)],
        ['支付方式', cells.label(payProvider, pay.provider)],
        ['用户', payer(pay)],
        ['下单时间', cells.time(pay.createdAt)],
      ],
    }),
  ),
  recharge: factSource(
    rechargeRecord.list,
    (id) => ({ query: { rechargeNo: id, pageSize: 1 } }),
    ({ rows: [recharge] }) =>
      recharge && {
        title: `…${recharge.id.slice(-6)}`,
        facts: [
          ['状态', cells.status(rechargeStatus, recharge.status)],
          ['用户', payer(recharge)],
          ['金额', yuan(recharge.amount)],
          ['赠送', yuan(recharge.gift)],
          ['已退金额', yuan(recharge.refunded)],
          ['下单时间', cells.time(recharge.createdAt)],
        ],
      },
  ),
  refund: factSource(
    refundOrder.list,
    (id) => ({ query: { refundNo: id, pageSize: 1 } }),
    ({ rows: [refund] }) =>
      refund && {
        title: `…${refund.id.slice(-6)}`,
        facts: [
          ['退款状态', cells.status(refundStatus, refund.status)],
          ['退款金额', yuan(refund.amount)],
          ['类型', cells.label(refundKind, refund.kind)],
          ['用户', payer(refund)],
          ['申请人', refund.createdBy],
          ['申请时间', cells.time(refund.createdAt)],
        ],
      },
  ),
}
