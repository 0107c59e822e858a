import { payerText } from '@wattdeck/contract/order/order-row.ts'
import { durationText, energyText, wattText } from '@wattdeck/domain/tariff/labels.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'

export const detailPath = (id: string) => `/order/chargingOrder?id=${id}`

/** Figures of orders as they stand in cells. */
export const orderNo = (id: string) => <Link to={detailPath(id)}>{id}</Link>
export const duration = (seconds: number | null) => (seconds === null ? cells.dash : durationText(seconds))
export const energy = (dwh: number | null) => (dwh === null ? cells.dash : energyText(dwh))
export const watts = (dw: number | null) => (dw === null ? cells.dash : wattText(dw))
/** An amount in yuan. One of nothing is a figure, too. */
export const yuan = (amount: string) => `¥${amount}`
export const member = (row: Parameters<typeof payerText>[0]) => cells.text(payerText(row))
