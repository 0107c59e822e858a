import { deskShift, type DeskShift } from '@wattdeck/contract/operating/desk-shift.ts'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

/** The second person counts the cash again. What is written down stays, also a difference. */
export const ReceiveCashDialog = ({ row, onClose }: { row: DeskShift; onClose: () => void }) => (
  <FormDialog
    title="确认收到这班的现金"
    route={deskShift.confirm}
    okText="确认收到"
    also={{ id: row.id }}
    refresh={[deskShift.list]}
    onClose={onClose}
  >
    <ConsequenceNote
      facts={[
        ['交班单号', row.serialNo],
        ['收款人', row.clerk],
        ['应交金额', `¥${row.expected}`],
        ['实点金额', `¥${row.counted ?? ''}`],
        ...(row.reason === null ? [] : [['差额原因', row.reason] as const]),
      ]}
      effect="现金由您保管，收款人会收到通知"
      second={`由${row.clerk}清点交出，请当面重新清点`}
    />
    <TextField name="received" label="实收金额" prefix="¥" inputMode="decimal" />
    <LinesField name="reason" label="交接说明" help="实收与实点金额不符时必填" rows={2} maxLength={200} showCount />
  </FormDialog>
)
