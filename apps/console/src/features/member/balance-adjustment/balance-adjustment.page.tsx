import { AuditOutlined } from '@ant-design/icons'
import {
  adjustmentFlow,
  adjustmentList,
  balanceAdjustment,
  type BalanceAdjustment,
} from '@wattdeck/contract/member/balance-adjustment.ts'
import { MainButton } from '../../../kit/crud/MainButton.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { adjustmentColumns, pictureColumn } from './balance-adjustment.columns.tsx'
import { useOpen } from '../../../kit/form/use-return-focus.ts'

const ReviewDrawer = lazyPart(async () => (await import('./balance-adjustment.review-drawer.tsx')).ReviewDrawer)

/** The request that the drawer opens with; optional. */
type Review = { first?: BalanceAdjustment }

export default function BalanceAdjustmentPage() {
  const list = useFieldList(adjustmentList, {
    listKey: 'balance-adjustment',
    liveKey: 'balanceAdjustment',
    columns: adjustmentColumns,
  })
  const [review, setReview, close] = useOpen<Review>()
  const withdraw = useConfirmedSubmit(balanceAdjustment.withdraw, { refresh: [balanceAdjustment.list] })

  function rowActions(row: BalanceAdjustment): RowAction[] {
    const settled = adjustmentFlow.can('approve', row.status) ? undefined : '该申请已处理'
    if (row.own)
      return [
        {
          label: '撤销',
          route: balanceAdjustment.withdraw,
          disabled: settled,
          onClick: () =>
            withdraw({ title: `确定要撤销申请「${row.adjustmentNo}」吗？`, okText: '撤销' }, { body: { id: row.id } }),
        },
      ]
    return [
      {
        label: '审批',
        route: balanceAdjustment.approve,
        disabled: settled,
        onClick: () => setReview({ first: row }),
      },
    ]
  }
  return (
    <>
      <ListPage
        {...list}
        title="余额调整审批"
        note="申请人不能审批本人的申请。通过后立即入账"
        actions={
          <MainButton
            route={balanceAdjustment.approve}
            label="开始审批"
            icon={<AuditOutlined />}
            onClick={() => setReview({})}
          />
        }
        columns={list.columns.toSpliced(7, 0, pictureColumn)}
        nameOf={(row) => row.adjustmentNo}
        rowActions={rowActions}
      />
      {review && <ReviewDrawer {...review} onClose={close} />}
    </>
  )
}
