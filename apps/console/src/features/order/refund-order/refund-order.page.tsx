import { AuditOutlined, SettingOutlined } from '@ant-design/icons'
import { refundFlow } from '@wattdeck/contract/order/refund-codes.ts'
import { refundList, refundOrder, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmedSubmit } from '../../../kit/form/use-confirm.ts'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { refundColumns } from './refund-order.columns.tsx'
import { reviewPath } from '../refund-review/refund-review.path.ts'

const PolicyDialog = lazyPart(async () => (await import('./refund-order.policy-dialog.tsx')).PolicyDialog)
const refresh = [refundOrder.list]

/** What a person can do where the payer's account cannot take the money. */
function useMending() {
  const retry = useConfirmedSubmit(refundOrder.retry, { refresh })
  const toWallet = useConfirmedSubmit(refundOrder.toWallet, { refresh })
  const content = '请先在支付渠道后台确认该笔退款没有到账'
  return ({ id, own }: RefundOrder): RowAction[] => {
    const disabled = own ? '须由他人处理' : undefined
    return [
      {
        label: '重试',
        route: refundOrder.retry,
        disabled,
        onClick: () => retry({ title: `确定要重新发起退款「${id}」吗？`, content, okText: '重试' }, { body: { id } }),
      },
      {
        label: '转入钱包',
        route: refundOrder.toWallet,
        disabled,
        onClick: () =>
          toWallet({ title: `确定要把退款「${id}」转入用户钱包吗？`, content, okText: '转入钱包' }, { body: { id } }),
      },
    ]
  }
}

export default function RefundOrderPage() {
  const user = useUser()
  const list = useFieldList(refundList, { listKey: 'refund-order', liveKey: 'refundOrder', columns: refundColumns })
  const navigate = useNavigate()
  const mending = useMending()
  const [setting, setSetting] = useState(false)
  useReturnFocus(setting)

  const rowActions = (row: RefundOrder): RowAction[] => [
    ...(refundFlow.can('approve', row.status)
      ? [
          {
            label: '审批',
            route: refundOrder.approve,
            disabled: row.own ? '不能审批自己提交的退款' : undefined,
            onClick: () => void navigate(reviewPath(row.id)),
          },
        ]
      : []),
    ...(row.stuck ? mending(row) : []),
  ]
  return (
    <>
      <ListPage
        note="退款须由两人完成：一人申请，另一人审批。任何订单退款合计不超过实付金额"
        actions={
          <Can route={refundOrder.approve}>
            <Button icon={<SettingOutlined />} onClick={() => setSetting(true)}>
              自动退款规则
            </Button>
            <Button
              type="primary"
              icon={<AuditOutlined />}
              data-shortcut="n"
              onClick={() => void navigate(reviewPath())}
            >
              逐条审批
            </Button>
          </Can>
        }
        {...list}
        nameOf={(row) => row.id}
        rowActions={rowActions}
      />
      {setting && <PolicyDialog platform={user?.organiseId === defaultOrganiseId} onClose={() => setSetting(false)} />}
    </>
  )
}
