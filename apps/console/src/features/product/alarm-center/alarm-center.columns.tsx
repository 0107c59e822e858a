import { type Alarm, alarmColumns } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmDetailText, alarmKind, alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { detailPath } from '../device-manage/device-manage.columns.tsx'
import { ticketPath } from '../repair-ticket/repair-ticket.path.ts'

const column = (
  key: keyof typeof alarmColumns,
  width: number,
  render: Column<Alarm>['render'],
  more: Partial<Column<Alarm>> = {},
): Column<Alarm> => ({ key, title: alarmColumns[key], width, render, ...more })

const hidden = { hidden: true } as const
const ticketLink = ({ ticketId, ticketNo }: Alarm) =>
  ticketId === null ? cells.dash : <Link to={ticketPath(ticketId)}>{ticketNo}</Link>

/** What an alarm itself tells; on the page of its device there is nothing else to say. */
export const ownAlarmColumns: Column<Alarm>[] = [
  column('kind', 130, (row) => cells.label(alarmKind, row.kind), { fixed: 'start' }),
  column('severity', 80, (row) => cells.status(alarmSeverity, row.severity), { card: 'tag' }),
  column('status', 90, (row) => cells.status(alarmStatus, row.status), { card: 'tag' }),
  column('lastAt', 110, (row) => cells.ago(row.lastAt)),
  column('portNo', 70, (row) => cells.text(row.portNo)),
  column('detail', 150, (row) => cells.text(alarmDetailText(row.detail))),
  column('count', 70, (row) => cells.count(row.count), { align: 'end' }),
  column('firstAt', 180, (row) => cells.time(row.firstAt)),
  column('healthySince', 180, (row) => cells.time(row.healthySince)),
  column('ticketNo', 130, ticketLink),
  column('attempts', 90, (row) => (row.attempts === 0 ? cells.dash : `${row.attempts} 次`), hidden),
  column('acknowledgedBy', 100, (row) => cells.text(row.acknowledgedBy), hidden),
  column('acknowledgedAt', 180, (row) => cells.time(row.acknowledgedAt), hidden),
  column('closedBy', 100, (row) => cells.text(row.closedBy), hidden),
  column('closedAt', 180, (row) => cells.time(row.closedAt), hidden),
  column('closeReason', 220, (row) => cells.text(row.closeReason), hidden),
]

export function alarmTableColumns(user: UserInfo | undefined): Column<Alarm>[] {
  const device = [
    column('deviceNo', 140, (row) => <Link to={detailPath(row.deviceId)}>{row.deviceNo}</Link>),
    column('deviceName', 150, (row) => cells.text(row.deviceName)),
  ]
  const [kind, severity, status, lastAt, ...others] = ownAlarmColumns
  const first = [kind, severity, status, lastAt].filter((one) => one !== undefined)
  return [...first, ...device, ...others.slice(0, 5), ...ownerColumns(user), ...others.slice(5)]
}
