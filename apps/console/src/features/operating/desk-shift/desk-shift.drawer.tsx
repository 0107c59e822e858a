import type { DeskShift } from '@wattdeck/contract/operating/desk-shift.ts'
import { offlineRechargeList } from '@wattdeck/contract/operating/offline-recharge.ts'
import { Drawer } from 'antd'
import { EmbeddedList } from '../../../kit/crud/EmbeddedList.tsx'
import { useNarrow } from '../../../kit/display/use-narrow.ts'
import '../../../kit/display/drawer-list.css'

/** The cash recharges of one shift, also those that were withdrawn or rejected. */
export function ShiftDrawer({ row, onClose }: { row: DeskShift; onClose: () => void }) {
  const narrow = useNarrow()
  return (
    <Drawer
      open
      className="drawer-list"
      title={`${row.clerk}的现金充值：${row.serialNo}`}
      size={narrow ? '100%' : 1100}
      onClose={onClose}
    >
      <EmbeddedList
        list={offlineRechargeList}
        listKey="shift-recharge"
        liveKey="offlineRecharge"
        of={{ shiftId: row.id }}
        columns={{ shiftNo: false }}
        omit={['way']}
        whole={{ title: '线下充值', path: `/operating/offlineRecharge?shiftId=${row.id}` }}
      />
    </Drawer>
  )
}
