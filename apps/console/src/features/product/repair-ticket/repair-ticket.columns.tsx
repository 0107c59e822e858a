import type { RepairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { FilePicture } from '../../../kit/media/FilePicture.tsx'
import { MaskedText } from '../../../kit/display/MaskedText.tsx'

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

export const ticketColumns: ColumnChanges<RepairTicket> = {
  priority: { card: 'tag' },
  portNo: { align: 'start', card: 'none' },
  minutes: { card: 'none', render: (row) => durationText(row.minutes) },
}

export const picturesColumn: Column<RepairTicket> = {
  key: 'pictures',
  title: '图片',
  width: 150,
  card: 'none',
  render: pictures,
}
