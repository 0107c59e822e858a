import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { ObjectLink } from '../../../kit/objects/ObjectLink.tsx'

/** Figures of orders as they stand in cells. */
export const orderNo = (id: string) => (
  <ObjectLink kind="order" id={id}>
    {id}
  </ObjectLink>
)
export const duration = (seconds: number | null) => (seconds === null ? cells.dash : durationText(seconds))
export const energy = (dwh: number | null) => (dwh === null ? cells.dash : energyText(dwh))
export const watts = (dw: number | null) => (dw === null ? cells.dash : wattText(dw))
/** An amount in yuan. One of nothing is a figure, too. */
export const yuan = (amount: string) => `¥${amount}`
/** What was paid back, and beside it what is only asked for. */
export const refunded = (order: { refunded: string; refunding: string }) => (
  <>
    {yuan(order.refunded)}
    {order.refunding !== '0.00' && <span className="meta"> 退款中 {yuan(order.refunding)}</span>}
  </>
)
type Payer = Parameters<typeof payerText>[0] & { memberId: string | null }
/** Who pays, in one line. */
export const payer = (row: Payer) => cells.text(payerText(row))
/** The same outside of a list, as a link to the member. */
export const member = (row: Payer) => (
  <ObjectLink kind="member" id={row.memberId}>
    {payer(row)}
  </ObjectLink>
)
