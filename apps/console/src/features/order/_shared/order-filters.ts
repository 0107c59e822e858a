import { deviceManage } from '@wattdeck/contract/product/device-manage.ts'
import type { Filter } from '../../../kit/list/filters.ts'
import { useDetail } from '../../../kit/api/queries.ts'

export function useTypeFilter() {
  const classes = useDetail(deviceManage.deviceClass).data ?? []
  const types = classes.flatMap((big) => big.children.flatMap((small) => small.types))
  const options = types.map(({ id, name, code }) => ({ value: id, label: `${name}（${code}）` }))
  return { kind: 'select', name: 'deviceTypeId', label: '设备类型', options } as const
}

const kinds: readonly string[] = ['text', 'dates', 'owner', 'select']

/** The filters of a list of orders: text inputs, days and owners, selects; the start mode comes last. */
export function useOrderFilters<Q extends { deviceTypeId?: unknown }>(declared: readonly Filter<Q>[]): Filter<Q>[] {
  const types = useTypeFilter()
  return declared.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)).toSpliced(-1, 0, types)
}
