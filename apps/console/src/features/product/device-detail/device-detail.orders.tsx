import { consumeOrder, type DeviceOrder, deviceOrderList } from '@wattdeck/contract/order/consume-order.ts'
import { energyText } from '@wattdeck/domain/tariff/labels.ts'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import type { ColumnChanges } from '../../../kit/crud/field-columns.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const columns: ColumnChanges<DeviceOrder, keyof typeof deviceOrderList.fields> = {
  duration: { align: 'end' },
  energy: { align: 'end' },
}

/**
 * The orders of the device, for users with a menu of orders. The page owns the URL, so this list keeps its filters
 * locally.
 */
export function DeviceOrders({ id }: { id: string }) {
  const state = useLocalListState(consumeOrder.ofDevice)
  const { title: _title, ...list } = useFieldList(deviceOrderList, {
    listKey: 'device-order',
    liveKey: 'order',
    columns,
  })
  return (
    <ListPanel {...list} params={{ deviceId: id }} state={state} nameOf={(row) => row.id} toolbar={<Today id={id} />} />
  )
}

function Today({ id }: { id: string }) {
  const today = useDetail(consumeOrder.deviceToday, { params: { deviceId: id } })
  if (today.error) return <span className="meta">今日数据未能读取：{errorText(today.error)}</span>
  if (today.data === undefined) return <span className="meta">今日数据读取中…</span>
  const { orders, energyDwh, total } = today.data
  return (
    <span className="meta">
      今日已结算：订单 {orders} · 电量 {energyText(energyDwh)} kWh · 应收 ¥{total}
    </span>
  )
}
