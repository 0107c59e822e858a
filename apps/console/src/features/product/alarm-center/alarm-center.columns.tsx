import { type Alarm, alarmList } from '@wattdeck/contract/product/alarm-center.ts'
import { type ColumnChanges, fieldColumns } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'

export const alarmColumns: ColumnChanges<Alarm> = {
  status: { card: 'tag' },
  lastAt: { render: (row) => cells.ago(row.lastAt) },
  portNo: { align: 'start' },
  attempts: { align: 'start', render: (row) => (row.attempts === 0 ? cells.dash : `${row.attempts} 次`) },
}

/** The page of a device omits the device and owner columns. */
export const ownAlarmColumns = fieldColumns<Alarm>(alarmList.fields, [], {
  changes: { ...alarmColumns, deviceNo: false, deviceName: false },
})
