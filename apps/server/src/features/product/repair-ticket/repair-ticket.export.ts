import { alarmKind } from '@wattdeck/contract/product/alarm-codes.ts'
import {
  repairColumns,
  repairPriority,
  repairSource,
  repairStatus,
  type RepairTicket,
  repairTicket,
} from '@wattdeck/contract/product/repair-ticket.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listTickets } from './repair-ticket.store.ts'

type Key = keyof typeof repairColumns
type Worded = 'status' | 'priority' | 'fault' | 'source' | 'pictures'

/** Columns that a file does not hold as the row has them. */
const worded: Record<Worded, (row: RepairTicket) => Cell> = {
  status: (row) => repairStatus.show(row.status).label,
  priority: (row) => repairPriority.show(row.priority).label,
  fault: (row) => alarmKind.show(row.fault).label,
  source: (row) => repairSource.show(row.source).label,
  pictures: (row) => row.pictureIds.length + row.resultPictureIds.length,
}
const cellOf =
  (key: Key) =>
  (row: RepairTicket): Cell =>
    key in worded ? worded[key as Worded](row) : row[key as Exclude<Key, Worded>]

export const repairExport = listExport({
  list: 'repairTicket',
  title: '维修工单',
  module: '维修工单',
  route: repairTicket.list,
  read: listTickets,
  columns: Object.fromEntries(
    Object.entries(repairColumns).map(([key, title]) => [
      key,
      { title: key === 'minutes' ? '时长（分钟）' : title, of: cellOf(key as Key) },
    ]),
  ),
})
