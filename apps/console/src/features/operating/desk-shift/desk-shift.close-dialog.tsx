import type { BodyOf, DataOf } from '@wattdeck/contract/kit/route.ts'
import { deskShift } from '@wattdeck/contract/operating/desk-shift.ts'
import { parseYuan } from '@wattdeck/domain/money.ts'
import { Alert, Form, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useDetail } from '../../../kit/api/queries.ts'
import { EmptyPane, States } from '../../../kit/display/States.tsx'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

type Shift = DataOf<typeof deskShift.current>['rows'][number]

/** The clerk counts the cash of the open shift. The dialog shows the sum that is due; the server checks it again. */
export function CloseShiftDialog({ onClose }: { onClose: () => void }) {
  const current = useDetail(deskShift.current, {})
  const [chosenId, setChosenId] = useState<string>()
  const rows = current.data?.rows ?? []
  const shift = rows.find(({ id }) => id === chosenId) ?? rows[0]
  if (shift === undefined || shift.recharges === 0)
    return (
      <Modal open width={dialogWidth.s} title="交班" footer={null} onCancel={onClose}>
        <States query={current}>{() => <EmptyPane filtered={false} text="本班没有现金充值，无需交班" />}</States>
      </Modal>
    )
  return (
    <FormDialog
      key={shift.id}
      title="交班"
      route={deskShift.close}
      okText="确认交班"
      also={{ id: shift.id, expected: shift.expected } as Partial<BodyOf<typeof deskShift.close>>}
      refresh={[deskShift.list, deskShift.current]}
      onClose={onClose}
    >
      {rows.length > 1 && (
        <Form.Item label="班次">
          <Segmented
            value={shift.id}
            options={rows.map(({ id, organiseName }) => ({ value: id, label: organiseName }))}
            onChange={setChosenId}
          />
        </Form.Item>
      )}
      <ConsequenceNote
        facts={factsOf(shift)}
        effect="这些充值的现金由您上交，须由他人确认收到"
        undo="交班后不能修改，本班的充值不能撤销"
      />
      <TextField name="counted" label="实点金额" help="清点后手中的现金" prefix="¥" inputMode="decimal" />
      <Difference expected={shift.expected} />
    </FormDialog>
  )
}

const factsOf = ({ serialNo, openedAt, recharges, waiting, expected }: Shift) =>
  [
    ['交班单号', serialNo],
    ['开始时间', openedAt],
    ['现金充值', waiting === 0 ? `${recharges} 笔` : `${recharges} 笔，其中 ${waiting} 笔待审核`],
    ['应交金额', `¥${expected}`],
  ] as const

const fenOf = (text: unknown) => (/^0(\.0{1,2})?$/.test(String(text)) ? 0n : parseYuan(String(text)))

/** The reason is required only when the count differs. */
function Difference({ expected }: { expected: string }) {
  const counted = fenOf(Form.useWatch('counted') ?? '')
  const differs = counted !== undefined && counted !== fenOf(expected)
  return (
    <>
      {differs && <Alert className="form-note" type="warning" showIcon title="与应交金额不符，请说明原因" />}
      <LinesField name="reason" label="差额原因" required={differs} rows={2} maxLength={200} showCount />
    </>
  )
}
