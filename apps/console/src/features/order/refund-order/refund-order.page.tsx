import { AuditOutlined, SettingOutlined } from '@ant-design/icons'
import { refundFlow } from '@wattdeck/contract/order/refund-codes.ts'
import { refundList, refundOrder, type RefundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Can } from '../../../kit/api/Can.tsx'
import { useDayPresets } from '../../../kit/list/views/presets.ts'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import type { RowAction } from '../../../kit/list/RowActions.tsx'
import { useConfirmSheet } from '../../../kit/form/confirm-sheet.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { OrderListPage } from '../_shared/OrderListPage.tsx'
import { refundColumns } from './refund-order.columns.tsx'
import { reviewPath } from '../refund-review/refund-review.path.ts'

const PolicyDialog = lazyPart(async () => (await import('./refund-order.policy-dialog.tsx')).PolicyDialog)
const refresh = [refundOrder.list]

const totals = [
  { key: 'count', label: '退款单' },
  { key: 'waiting', label: '审批中', unit: '¥' },
  { key: 'refunding', label: '退款中', unit: '¥' },
  { key: 'refunded', label: '已退款', unit: '¥' },
  { key: 'paid', label: '其中退充值', unit: '¥' },
  { key: 'gift', label: '退赠送', unit: '¥' },
]

/** Actions after the payer's account rejected the money. */
function useMending() {
  const retry = useConfirmSheet(refundOrder.retry, { refresh })
  const toWallet = useConfirmSheet(refundOrder.toWallet, { refresh })
  const undo = '请先在支付渠道后台确认该笔退款没有到账'
  return ({ id, own, amount, orderNo }: RefundOrder): RowAction[] => {
    const facts = [
      ['退款金额', `¥${amount}`],
      ['订单号', orderNo],
      ['退款单号', id],
    ] as const
    const disabled = own ? '须由他人处理' : undefined
    return [
      {
        label: '重试',
        route: refundOrder.retry,
        disabled,
        onClick: () =>
          retry(
            { title: '重新发起这笔退款？', okText: '重新发起', facts, effect: `再次原路退款 ¥${amount}`, undo },
            { body: { id } },
          ),
      },
      {
        label: '转入钱包',
        route: refundOrder.toWallet,
        disabled,
        onClick: () =>
          toWallet(
            {
              title: '把这笔退款转入用户钱包？',
              okText: '转入钱包',
              facts,
              effect: `¥${amount} 转入用户钱包，不再原路退款`,
              undo,
            },
            { body: { id } },
          ),
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
      <OrderListPage
        note="申请人不能审批本人的退款。任何订单退款合计不超过实付金额"
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
              开始审批
            </Button>
          </Can>
        }
        {...list}
        presets={useDayPresets()}
        totalsRoute={refundOrder.totals}
        totalsItems={totals}
        totalsDays="申请时间"
        rowActions={rowActions}
      />
      {setting && <PolicyDialog platform={user?.organiseId === defaultOrganiseId} onClose={() => setSetting(false)} />}
    </>
  )
}
