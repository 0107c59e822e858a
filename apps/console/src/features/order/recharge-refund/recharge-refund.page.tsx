import { PlusOutlined } from '@ant-design/icons'
import { rechargeRefund, rechargeRefundList } from '@wattdeck/contract/order/recharge-refund.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Can } from '../../../kit/api/Can.tsx'
import { useFieldList } from '../../../kit/crud/use-field-list.ts'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useReturnFocus } from '../../../kit/form/use-return-focus.ts'
import { type Declining, useRechargeRefundActions } from './recharge-refund.actions.ts'
import { nextHandColumn, rechargeRefundColumns } from './recharge-refund.columns.tsx'

const AskDialog = lazyPart(async () => (await import('./recharge-refund.ask-dialog.tsx')).AskRechargeRefundDialog)
const DeclineDialog = lazyPart(async () => (await import('./recharge-refund.decline-dialog.tsx')).DeclineRechargeDialog)

export default function RechargeRefundPage() {
  const list = useFieldList(rechargeRefundList, {
    listKey: 'recharge-refund',
    liveKey: 'rechargeRefund',
    columns: rechargeRefundColumns,
  })
  const [asking, setAsking] = useState(false)
  const [declining, setDeclining] = useState<Declining>()
  useReturnFocus(asking || declining !== undefined)
  const rowActions = useRechargeRefundActions(setDeclining)
  return (
    <>
      <ListPage
        note="须由三人完成：申请、审核、审批。申请后金额冻结，审批后原路退回；赠送按比例收回"
        actions={
          <Can route={rechargeRefund.add}>
            <Button type="primary" icon={<PlusOutlined />} data-shortcut="n" onClick={() => setAsking(true)}>
              申请退款
            </Button>
          </Can>
        }
        {...list}
        columns={list.columns.toSpliced(2, 0, nextHandColumn)}
        nameOf={(row) => row.id}
        rowActions={rowActions}
      />
      {asking && <AskDialog onClose={() => setAsking(false)} />}
      {declining && <DeclineDialog {...declining} onClose={() => setDeclining(undefined)} />}
    </>
  )
}
