import { startMode } from '@wattdeck/contract/order/order-codes.ts'
import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import type { Filter } from '../../../kit/list/filters.ts'
import { useDetail } from '../../../kit/api/queries.ts'

type Common = {
  orderNo?: unknown
  phone?: unknown
  deviceNo?: unknown
  deviceTypeId?: unknown
  startMode?: unknown
  organiseId?: unknown
  agentId?: unknown
  siteId?: unknown
  from?: unknown
  to?: unknown
}

export function useTypeFilter() {
  const classes = useDetail(deviceManage.deviceClass).data ?? []
  const types = classes.flatMap((big) => big.children.flatMap((small) => small.types))
  const options = types.map(({ id, name, code }) => ({ value: id, label: `${name}（${code}）` }))
  return { kind: 'select', name: 'deviceTypeId', label: '设备类型', options } as const
}

/** The filters of every list of orders; `own` are those of one list, before the way of starting. */
export function useOrderFilters<Q extends Common>(own: readonly Filter<Q>[] = []): Filter<Q>[] {
  const types = useTypeFilter()
  return [
    { kind: 'text', name: 'orderNo', label: '订单号' },
    { kind: 'text', name: 'phone', label: '用户手机号' },
    { kind: 'text', name: 'deviceNo', label: '设备编号' },
    { kind: 'dates', from: 'from', to: 'to', label: '下单时间' },
    { kind: 'owner' },
    ...own,
    types,
    { kind: 'select', name: 'startMode', label: '启动方式', options: startMode.options },
  ] as Filter<Q>[]
}
