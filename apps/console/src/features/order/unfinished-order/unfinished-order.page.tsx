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
import { orderPath } from '../../../kit/objects/object-types.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { orderColumns } from '../_shared/order-columns.tsx'
import { useOrderFilters } from '../_shared/order-filters.ts'
import { watchOpenRows } from '../_shared/order-live.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { useOpenActions } from './unfinished-order.actions.ts'
import '../_shared/order.css'

const CloseDialog = lazyPart(async () => (await import('./unfinished-order.close-dialog.tsx')).CloseDialog)
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

const totals = [
  { key: 'count', label: '未完成' },
  { key: 'energy', label: '已充电量', unit: 'kWh' },
  { key: 'power', label: '当前功率', unit: 'W' },
  { key: 'held', label: '预付冻结（未计费）', unit: '¥' },
]

export default function UnfinishedOrderPage() {
  const list = useFieldList(unfinishedOrderList, { listKey: 'unfinished-order', liveKey: 'order', columns })
  const navigate = useNavigate()
  const [settling, setSettling] = useState<OpenOrder>()
  const [closing, setClosing] = useState<OpenOrder>()
  useReturnFocus(settling !== undefined || closing !== undefined)
  const actions = useOpenActions()
  const rowActions = (row: OpenOrder): RowAction[] => [
    { label: '详情', onClick: () => void navigate(orderPath(row.id)) },
    ...actions(row, !row.marks.includes('offline')),
    {
      label: '强制结算',
      route: unfinishedOrder.settle,
      danger: true,
      disabled: row.status === orderStatus.code.charging ? undefined : '订单尚未开始充电',
      onClick: () => setSettling(row),
    },
    {
      label: '关闭',
      route: unfinishedOrder.close,
      danger: true,
      disabled: row.status === orderStatus.code.starting ? undefined : '订单已开始充电，请远程停止或强制结算',
      onClick: () => setClosing(row),
    },
  ]
  return (
    <>
      <OrderListPage
        {...list}
        note="电量、功率为设备最近上报，预付金额为冻结金额；充电结束后才计费，合计不是收入"
        totalsRoute={unfinishedOrder.totals}
        totalsItems={totals}
        watchRows={watchOpenRows}
        filters={useOrderFilters(list.filters)}
        rowActions={rowActions}
      />
      {closing && <CloseDialog id={closing.id} held={closing.held} onClose={() => setClosing(undefined)} />}
      {settling && <SettleDialog id={settling.id} onClose={() => setSettling(undefined)} />}
    </>
  )
}
