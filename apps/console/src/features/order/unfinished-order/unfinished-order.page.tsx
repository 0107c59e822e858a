import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import { orderColumns } from '@wattdeck/contract/order/order-row.ts'
import { openColumns, openMark, type OpenOrder, unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as cells from '../../../kit/display/cells.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import * as shown from '../_shared/order-cells.tsx'
import { orderTableColumns } from '../_shared/order-columns.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { watchOpenRows } from '../_shared/order-live.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { useOpenActions } from './unfinished-order.actions.ts'
import '../_shared/order.css'

const SettleDialog = lazyPart(async () => (await import('./unfinished-order.settle-dialog.tsx')).SettleDialog)

const column = (
  key: keyof typeof openColumns,
  width: number,
  render: Column<OpenOrder>['render'],
): Column<OpenOrder> => ({
  key,
  title: openColumns[key],
  width,
  render,
})
const own: Column<OpenOrder>[] = [
  column('marks', 150, ({ marks }) =>
    marks.length === 0 ? (
      cells.dash
    ) : (
      <span className="order-marks">
        {marks.map((mark) => (
          <StatusTag key={mark} of={openMark} value={mark} />
        ))}
      </span>
    ),
  ),
  { ...column('power', 120, (row) => shown.watts(row.powerDw)), align: 'end' },
  column('expectedEndAt', 170, (row) => cells.time(row.expectedEndAt)),
  column('reportedAt', 110, (row) => cells.ago(row.reportedAt)),
  { ...column('held', 100, (row) => shown.yuan(row.held)), align: 'end' },
]

export default function UnfinishedOrderPage() {
  const user = useUser()
  const navigate = useNavigate()
  const [settling, setSettling] = useState<OpenOrder>()
  useReturnFocus(settling !== undefined)
  const actions = useOpenActions()
  const rowActions = (row: OpenOrder): RowAction[] => [
    { label: '详情', onClick: () => void navigate(shown.detailPath(row.id)) },
    ...actions(row.id, !row.marks.includes('offline')),
    {
      label: '强制结算',
      route: unfinishedOrder.settle,
      danger: true,
      disabled: row.status === orderStatus.code.charging ? undefined : '订单尚未开始充电',
      onClick: () => setSettling(row),
    },
  ]
  return (
    <>
      <OrderListPage
        title="未完成订单"
        listKey="unfinished-order"
        liveKey="order"
        watchRows={watchOpenRows}
        route={unfinishedOrder.list}
        columns={orderTableColumns(user, own)}
        filters={useOrderFilters<QueryOf<typeof unfinishedOrder.list>>([
          { kind: 'select', name: 'mark', label: '异常标记', options: openMark.options },
        ])}
        exporting={{
          route: unfinishedOrder.exportList,
          keys: [...Object.keys(orderColumns), ...Object.keys(openColumns)],
        }}
        rowActions={rowActions}
      />
      {settling && <SettleDialog id={settling.id} onClose={() => setSettling(undefined)} />}
    </>
  )
}
