import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'

/** Cells of orders. */
export const orderNo = (id: string) => (
  <ObjectLink kind="order" id={id}>
    {id}
  </ObjectLink>
)
export const duration = (seconds: number | null) => (seconds === null ? cells.dash : durationText(seconds))
export const energy = (dwh: number | null) => (dwh === null ? cells.dash : energyText(dwh))
export const watts = (dw: number | null) => (dw === null ? cells.dash : wattText(dw))
/** An amount in yuan; zero is shown as an amount too. */
export const yuan = (amount: string) => `¥${amount}`
/** The refunded amount, and beside it the requested one. */
export const refunded = (order: { refunded: string; refunding: string }) => (
  <>
    {yuan(order.refunded)}
    {order.refunding !== '0.00' && <span className="meta"> 退款中 {yuan(order.refunding)}</span>}
  </>
)
type Payer = Parameters<typeof payerText>[0] & { memberId: string | null }
/** The payer in one line. */
export const payer = (row: Payer) => cells.text(payerText(row))
/** The payer outside a list, as a link to the member. */
export const member = (row: Payer) => (
  <ObjectLink kind="member" id={row.memberId}>
    {payer(row)}
  </ObjectLink>
)
