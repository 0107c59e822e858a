import { PlusOutlined } from '@ant-design/icons'
import { type RechargeRefund, rechargeRefund, rechargeRefundColumns } from '@wattdeck/contract/order/recharge-refund.ts'
import { refundStep } from '@wattdeck/contract/order/refund-codes.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { later } from '../../../kit/routing/later.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { useUser } from '../../../kit/api/user.ts'
import { type Declining, useRechargeRefundActions } from './recharge-refund.actions.ts'
import { rechargeRefundTable } from './recharge-refund.columns.tsx'

const AskDialog = later(async () => (await import('./recharge-refund.ask-dialog.tsx')).AskRechargeRefundDialog)
const DeclineDialog = later(async () => (await import('./recharge-refund.decline-dialog.tsx')).DeclineRechargeDialog)

export default function RechargeRefundPage() {
  const user = useUser()
  const [asking, setAsking] = useState(false)
  const [declining, setDeclining] = useState<Declining>()
  useReturnFocus(asking || declining !== undefined)
  const rowActions = useRechargeRefundActions(setDeclining)
  return (
    <>
      <ListPage
        title="充值退款"
        note="须由三人完成：申请、审核、审批。申请后金额冻结，审批后原路退回；赠送按比例收回"
        actions={
          <Can route={rechargeRefund.add}>
            <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={() => setAsking(true)}>
              申请退款
            </Button>
          </Can>
        }
        listKey="recharge-refund"
        liveKey="rechargeRefund"
        route={rechargeRefund.list}
        columns={rechargeRefundTable(user)}
        nameOf={(row: RechargeRefund) => row.id}
        filters={[
          { kind: 'text', name: 'refundNo', label: '退款单号' },
          { kind: 'text', name: 'rechargeNo', label: '充值单号' },
          { kind: 'text', name: 'phone', label: '用户手机号' },
          { kind: 'select', name: 'status', label: '状态', options: refundStep.options },
          { kind: 'dates', from: 'from', to: 'to', label: '申请时间' },
          { kind: 'owner' },
        ]}
        exporting={{ route: rechargeRefund.exportList, keys: Object.keys(rechargeRefundColumns) }}
        rowActions={rowActions}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
      {declining && <DeclineDialog {...declining} onClose={() => setDeclining(undefined)} />}
    </>
  )
}
