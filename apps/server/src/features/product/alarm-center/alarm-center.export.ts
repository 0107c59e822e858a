import { type Alarm, alarmCenter, alarmColumns } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmDetailText, alarmKind, alarmSeverity, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import { listExport } from '../../../kit/bulk/exports.ts'
import type { Cell } from '../../../kit/bulk/sheets/cell.ts'
import { listAlarms } from './alarm-center.store.ts'

type Key = keyof typeof alarmColumns
type Worded = 'kind' | 'severity' | 'status' | 'detail'

/** Columns that a file does not hold as the row has them. */
const worded: Record<Worded, (row: Alarm) => Cell> = {
  kind: (row) => alarmKind.show(row.kind).label,
  severity: (row) => alarmSeverity.show(row.severity).label,
  status: (row) => alarmStatus.show(row.status).label,
  detail: (row) => alarmDetailText(row.detail),
}
const cellOf =
  (key: Key) =>
  (row: Alarm): Cell =>
    key in worded ? worded[key as Worded](row) : row[key as Exclude<Key, Worded>]

export const alarmExport = listExport({
  list: 'alarm',
  title: '告警列表',
  module: '告警中心',
  route: alarmCenter.list,
  read: listAlarms,
  columns: Object.fromEntries(
    Object.entries(alarmColumns).map(([key, title]) => [key, { title, of: cellOf(key as Key) }]),
  ),
})
