import { orderStatus, startMode } from '@wattdeck/contract/order/order-codes.ts'
import { orderColumns, type OrderRow } from '@wattdeck/contract/order/order-row.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import * as shown from './order-cells.tsx'

type Key = keyof typeof orderColumns

function column<T extends OrderRow>(
  key: Key,
  width: number,
  render: (row: OrderRow) => React.ReactNode,
  more: Partial<Column<T>> = {},
): Column<T> {
  return { key, title: orderColumns[key], width, render, ...more }
}
const end = { align: 'end' } as const
const hidden = { hidden: true } as const

/** The columns of every list of orders; `own` are those of one list, behind the state. */
export const orderTableColumns = <T extends OrderRow>(
  user: UserInfo | undefined,
  own: readonly Column<T>[] = [],
): Column<T>[] => [
  column('id', 190, (row) => shown.orderNo(row.id), { fixed: 'start' }),
  column('status', 90, (row) => cells.status(orderStatus, row.status), { card: 'tag' }),
  ...own,
  column('member', 190, shown.member),
  column('deviceNo', 120, (row) => row.deviceNo),
  column('portNo', 60, (row) => row.portNo, end),
  column('startedAt', 170, (row) => cells.time(row.startedAt)),
  column('endedAt', 170, (row) => cells.time(row.endedAt)),
  column('duration', 120, (row) => shown.duration(row.durationS), end),
  column('energy', 110, (row) => shown.energy(row.energyDwh), end),
  column('total', 90, (row) => shown.yuan(row.total), end),
  column('electricity', 90, (row) => shown.yuan(row.electricity), end),
  column('service', 90, (row) => shown.yuan(row.service), end),
  column('occupancy', 90, (row) => shown.yuan(row.occupancy), { ...end, ...hidden }),
  column('paid', 100, (row) => shown.yuan(row.paid), { ...end, ...hidden }),
  column('gift', 100, (row) => shown.yuan(row.gift), { ...end, ...hidden }),
  column('refunded', 90, (row) => shown.yuan(row.refunded), end),
  column('stopReason', 140, (row) => cells.text(row.stopReason)),
  column('startMode', 90, (row) => cells.label(startMode, row.startMode)),
  column('tariffName', 150, (row) => cells.text(row.tariffName)),
  ...ownerColumns(user),
  column('typeName', 150, (row) => row.typeName, hidden),
  column('deviceName', 160, (row) => cells.text(row.deviceName), hidden),
  column('peakPower', 120, (row) => shown.watts(row.peakPowerDw), { ...end, ...hidden }),
  column('createdAt', 170, (row) => cells.time(row.createdAt), hidden),
]
