import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import { MemberLink } from '../../../kit/display/MemberLink.tsx'

export const detailPath = (id: string) => `/order/chargingOrder?id=${id}`

/** Figures of orders as they stand in cells. */
export const orderNo = (id: string) => <Link to={detailPath(id)}>{id}</Link>
export const duration = (seconds: number | null) => (seconds === null ? cells.dash : durationText(seconds))
export const energy = (dwh: number | null) => (dwh === null ? cells.dash : energyText(dwh))
export const watts = (dw: number | null) => (dw === null ? cells.dash : wattText(dw))
/** An amount in yuan. One of nothing is a figure, too. */
export const yuan = (amount: string) => `¥${amount}`
/** A member by name; it opens for those who may read members. */
export const memberText = (id: string | null, name: string | null) =>
  id === null || name === null ? cells.text(name) : <MemberLink id={id} name={name} />
type Payer = Parameters<typeof payerText>[0] & { memberId: string | null }
/** Who pays, in one line. */
export const member = (row: Payer) => {
  const text = payerText(row)
  return memberText(row.memberId, text === '' ? null : text)
}
