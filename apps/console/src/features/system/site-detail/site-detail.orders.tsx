import { consumeOrder, consumeOrderList } from '@wattdeck/contract/order/consume-order.ts'
import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { Link } from 'react-router'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { useLocalListState } from '../../../kit/list/list-state.ts'
import { ListPanel } from '../../../kit/list/ListPanel.tsx'

const end = { align: 'end' } as const
/** The page of a site does not name the site and its owners again. */
const columns = { duration: end, energy: end, siteName: false, agentName: false, organiseName: false } as const

/** The orders of the site, the newest first. */
export function SiteOrders({ row: { id, organiseId } }: { row: SiteDetail }) {
  const state = useLocalListState(consumeOrder.list, { organiseId, siteId: id })
  const {
    title: _title,
    exporting: _exporting,
    filters,
    ...list
  } = useFieldList(consumeOrderList, {
    listKey: 'site-order',
    liveKey: 'order',
    columns,
  })
  return (
    <ListPanel
      {...list}
      state={state}
      nameOf={(row) => row.id}
      filters={filters.filter(({ kind }) => kind !== 'owner')}
      toolbar={<Link to={`/order/consumeOrder?siteId=${id}`}>在消费订单中查看</Link>}
    />
  )
}
