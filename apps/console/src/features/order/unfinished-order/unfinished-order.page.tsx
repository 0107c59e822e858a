import { orderStatus } from '@wattdeck/contract/order/order-codes.ts'
import {
  openMark,
  type OpenOrder,
  unfinishedOrder,
  unfinishedOrderList,
} from '@wattdeck/contract/order/unfinished-order.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import * as cells from '../../../kit/display/cells.tsx'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { StatusTag } from '../../../kit/display/StatusTag.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import * as shown from '../_shared/order-cells.tsx'
import { orderColumns } from '../_shared/order-columns.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { watchOpenRows } from '../_shared/order-live.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { useOpenActions } from './unfinished-order.actions.ts'
import '../_shared/order.css'

const SettleDialog = lazyPart(async () => (await import('./unfinished-order.settle-dialog.tsx')).SettleDialog)

const columns = {
  ...orderColumns,
  marks: {
    render: ({ marks }: OpenOrder) =>
      marks.length === 0 ? (
        cells.dash
      ) : (
        <span className="order-marks">
          {marks.map((mark) => (
            <StatusTag key={mark} of={openMark} value={mark} />
          ))}
        </span>
      ),
  },
  power: { align: 'end' },
  reportedAt: { render: (row: OpenOrder) => cells.ago(row.reportedAt) },
} as const

export default function UnfinishedOrderPage() {
  const list = useFieldList(unfinishedOrderList, { listKey: 'unfinished-order', liveKey: 'order', columns })
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
        {...list}
        watchRows={watchOpenRows}
        filters={useOrderFilters(list.filters)}
        rowActions={rowActions}
      />
      {settling && <SettleDialog id={settling.id} onClose={() => setSettling(undefined)} />}
    </>
  )
}
