import { daysOf, totalsMaxDays } from '@wattdeck/contract/order/order-row.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { ReactNode } from 'react'
import { useListState } from '../../../kit/list/list-state.ts'
import { ListPanel, type ListPanelProps } from '../../../kit/list/ListPanel.tsx'
import { PageFrame } from '../../../kit/display/PageFrame.tsx'

type Props<R extends AnyRoute> = Omit<ListPanelProps<R>, 'state' | 'totals' | 'nameOf'> & {
  title: string
  note?: ReactNode
  actions?: ReactNode
  /** The name of a row in confirmations; defaults to its number. */
  nameOf?: ListPanelProps<R>['nameOf']
  /** The totals of a filter of at most one month. */
  totalsRoute?: AnyRoute
  /** The items of the totals; defaults to the money of charges. */
  totalsItems?: typeof items
  /** The date filter that the totals require. */
  totalsDays?: string
}

const items: { key: string; label: string; unit?: string }[] = [
  { key: 'count', label: '订单' },
  { key: 'energy', label: '电量', unit: 'kWh' },
  { key: 'electricity', label: '电费', unit: '¥' },
  { key: 'service', label: '服务费', unit: '¥' },
  { key: 'total', label: '应收', unit: '¥' },
  { key: 'refunded', label: '退款', unit: '¥' },
  { key: 'refunding', label: '退款中', unit: '¥' },
]

/** A list of orders. Totals require a short period: a sum over years would read every order. */
export function OrderListPage<R extends AnyRoute>({
  title,
  note,
  actions,
  totalsRoute,
  totalsItems = items,
  totalsDays = '下单时间',
  ...list
}: Props<R>) {
  const state = useListState(list.route)
  const days = daysOf(state.query as { from?: string; to?: string })
  const addsUp = totalsRoute !== undefined && days !== undefined && days >= 1 && days <= totalsMaxDays
  return (
    <PageFrame title={title} note={note} actions={actions}>
      <ListPanel
        nameOf={(row) => (row as { id: string }).id}
        {...(list as Omit<ListPanelProps<R>, 'state' | 'nameOf'>)}
        state={state}
        {...(addsUp ? { totals: { route: totalsRoute, items: totalsItems } } : {})}
        toolbar={
          totalsRoute !== undefined && !addsUp ? (
            <span className="meta">
              选择 {totalsMaxDays} 天内的{totalsDays}可查看合计
            </span>
          ) : null
        }
      />
    </PageFrame>
  )
}
