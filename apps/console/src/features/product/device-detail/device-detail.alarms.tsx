import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmKind, alarmStatus } from '@wattdeck/contract/product/alarm-codes.ts'
import type { DeviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import { repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { ownAlarmColumns } from '../alarm-center/alarm-center.columns.tsx'

const TicketDialog = lazyPart(async () => (await import('../../../kit/objects/TicketDialog.tsx')).TicketDialog)

/** Current and past alarms of the device, and the action to report a fault. */
export function DeviceAlarms({ device }: { device: DeviceDetail }) {
  const state = useLocalListState(alarmCenter.ofDevice)
  const [reporting, setReporting] = useState(false)
  useReturnFocus(reporting)
  return (
    <>
      <ListPanel
        listKey="device-alarm"
        liveKey="alarm"
        route={alarmCenter.ofDevice}
        params={{ id: device.id }}
        state={state}
        columns={ownAlarmColumns}
        nameOf={(row) => `${alarmKind.show(row.kind).label} ${row.firstAt}`}
        filters={[{ kind: 'select', name: 'status', label: '状态', options: alarmStatus.options }]}
        toolbar={
          <Can route={repairTicket.add}>
            <Button size="small" onClick={() => setReporting(true)}>
              报修
            </Button>
          </Can>
        }
      />
      {reporting && (
        <TicketDialog deviceNo={device.deviceNo} refresh={[alarmCenter.ofDevice]} onClose={() => setReporting(false)} />
      )}
    </>
  )
}
