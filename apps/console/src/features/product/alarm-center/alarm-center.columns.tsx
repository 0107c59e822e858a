import { type Alarm, alarmList } from '@wattdeck/contract/product/alarm-center.ts'
import { Link } from 'react-router'
import { type ColumnChanges, fieldColumns } from '../../../kit/crud/field-columns.tsx'
import * as cells from '../../../kit/display/cells.tsx'
import { detailPath } from '../device-manage/device-manage.columns.tsx'
import { ticketPath } from '../repair-ticket/repair-ticket.path.ts'

export const alarmColumns: ColumnChanges<Alarm> = {
  status: { card: 'tag' },
  lastAt: { render: (row) => cells.ago(row.lastAt) },
  deviceNo: { render: (row) => <Link to={detailPath(row.deviceId)}>{row.deviceNo}</Link> },
  portNo: { align: 'start' },
  ticketNo: {
    render: ({ ticketId, ticketNo }) =>
      ticketId === null ? cells.dash : <Link to={ticketPath(ticketId)}>{ticketNo}</Link>,
  },
  attempts: { align: 'start', render: (row) => (row.attempts === 0 ? cells.dash : `${row.attempts} 次`) },
}

/** The page of a device names neither the device nor its owners again. */
export const ownAlarmColumns = fieldColumns<Alarm>(alarmList.fields, [], {
  changes: { ...alarmColumns, deviceNo: false, deviceName: false },
})
