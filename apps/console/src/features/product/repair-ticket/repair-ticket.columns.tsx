import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import {
  repairColumns,
  repairPriority,
  repairSource,
  repairStatus,
  type RepairTicket,
} from '@wattdeck/contract/product/repair-ticket.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { Link } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'
import { ownerColumns } from '../../../kit/owner-region/owner-columns.tsx'
import { ticketPath } from './repair-ticket.path.ts'

const column = (
  key: keyof typeof repairColumns,
  width: number,
  render: Column<RepairTicket>['render'],
  more: Partial<Column<RepairTicket>> = {},
): Column<RepairTicket> => ({ key, title: repairColumns[key], width, render, ...more })

const hidden = { hidden: true } as const

/** '2小时5分' */
export function durationText(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  if (days > 0) return `${days}天${hours}小时`
  return hours > 0 ? `${hours}小时${rest}分` : `${rest}分`
}

const pictures = ({ pictureIds, resultPictureIds }: RepairTicket) => {
  const all = [...pictureIds, ...resultPictureIds]
  if (all.length === 0) return cells.dash
  return (
    <span className="ticket-thumbs">
      {all.slice(0, 3).map((id) => (
        <FilePicture key={id} id={id} alt="工单图片" size={32} />
      ))}
      {all.length > 3 && `共 ${all.length} 张`}
    </span>
  )
}

export const phoneOf = ({ id, phone }: RepairTicket) => (
  <MaskedText value={phone} kind="repairTicket" id={id} field="phone" what="报修人手机" />
)

export const ticketTableColumns = (user: UserInfo | undefined): Column<RepairTicket>[] => [
  column('ticketNo', 130, (row) => <Link to={ticketPath(row.id)}>{row.ticketNo}</Link>, { fixed: 'start' }),
  column('status', 90, (row) => cells.status(repairStatus, row.status), { card: 'tag' }),
  column('priority', 80, (row) => cells.status(repairPriority, row.priority), { card: 'tag' }),
  column('deviceNo', 140, (row) => row.deviceNo),
  column('portNo', 70, (row) => cells.text(row.portNo), { card: 'none' }),
  column('fault', 130, (row) => cells.label(alarmKind, row.fault)),
  column('description', 200, (row) => row.description),
  column('assigneeName', 110, (row) => cells.text(row.assigneeName)),
  ...ownerColumns(user),
  column('address', 200, (row) => cells.text(row.address)),
  column('createdAt', 180, (row) => cells.time(row.createdAt)),
  column('minutes', 110, (row) => durationText(row.minutes), { align: 'end', card: 'none' }),
  column('pictures', 150, pictures, { card: 'none' }),
  column('source', 80, (row) => cells.label(repairSource, row.source), hidden),
  column('reporter', 100, (row) => cells.text(row.reporter), hidden),
  column('phone', 150, phoneOf, hidden),
  column('result', 200, (row) => cells.text(row.result), hidden),
  column('parts', 150, (row) => cells.text(row.parts), hidden),
  column('reason', 180, (row) => cells.text(row.reason), hidden),
  column('completedAt', 180, (row) => cells.time(row.completedAt), hidden),
]
