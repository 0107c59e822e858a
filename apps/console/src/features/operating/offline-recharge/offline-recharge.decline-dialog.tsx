import { offlineRecharge, type OfflineRecharge } from '@wattdeck/contract/operating/offline-recharge.ts'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'
import { offlineFacts } from './offline-recharge.columns.tsx'

type Props = { row: OfflineRecharge; onClose: () => void }

/** Rejects with a reason. The money is not credited and belongs to the payer. */
export const DeclineOfflineDialog = ({ row, onClose }: Props) => (
  <FormDialog
    title="驳回这笔线下充值"
    route={offlineRecharge.turnDown}
    okText="驳回"
    also={{ id: row.id }}
    refresh={[offlineRecharge.list]}
    onClose={onClose}
  >
    <ConsequenceNote
      facts={offlineFacts(row)}
      effect={`不入账，操作人会收到驳回原因，并须将 ¥${row.amount} 退还付款人`}
      undo="驳回后须重新申请"
    />
    <LinesField name="reason" label="驳回原因" rows={2} maxLength={200} showCount />
  </FormDialog>
)
