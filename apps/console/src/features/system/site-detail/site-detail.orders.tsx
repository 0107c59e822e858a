import { consumeOrderList } from '@wattdeck/contract/order/consume-order.ts'
import type { SiteDetail } from '@wattdeck/contract/system/site-detail.ts'
import { EmbeddedList } from '../../../kit/crud/EmbeddedList.tsx'

const end = { align: 'end' } as const
/** The page of a site omits the site and owner columns. */
const columns = { duration: end, energy: end, siteName: false, agentName: false, organiseName: false } as const

export const SiteOrders = ({ row: { id, organiseId } }: { row: SiteDetail }) => (
  <EmbeddedList
    list={consumeOrderList}
    listKey="site-order"
    liveKey="order"
    of={{ organiseId, siteId: id }}
    columns={columns}
    whole={{ title: '消费订单', path: `/order/consumeOrder?siteId=${id}` }}
  />
)
