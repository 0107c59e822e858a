import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { repairPictures, repairTicket, type RepairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { Alert, Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { PicturesField } from '../../../kit/media/PicturesField.tsx'

type Props = { ticket: RepairTicket; onClose: () => void }
const refresh = [repairTicket.list, repairTicket.read, alarmCenter.list, alarmCenter.totals]

/** What was done, with pictures. While the device is not well, a reason is asked for. */
export const CompleteDialog = ({ ticket, onClose }: Props) => (
  <FormDialog
    title={`完成维修：${ticket.ticketNo}`}
    route={repairTicket.complete}
    toBody={(values) => ({ ...values, id: ticket.id }) as unknown as BodyOf<typeof repairTicket.complete>}
    refresh={refresh}
    okText="完成维修"
    onClose={onClose}
  >
    {ticket.healthy === false && (
      <Alert type="warning" showIcon title="设备尚未恢复正常，须填写原因才能完成" className="wide-field" />
    )}
    <PicturesField name="pictureIds" label="维修照片" max={repairPictures} />
    <Field name="result" label="维修结果">
      <Input.TextArea autoSize={{ minRows: 3, maxRows: 8 }} />
    </Field>
    <Field name="parts" label="更换件">
      <Input autoComplete="off" />
    </Field>
    {ticket.healthy === false && (
      <Field name="reason" label="未恢复原因" required>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 5 }} />
      </Field>
    )}
  </FormDialog>
)

/** Without a repair: it was none, or another ticket does it. */
export const CloseTicketDialog = ({ ticket, onClose }: Props) => (
  <FormDialog
    title={`关闭工单：${ticket.ticketNo}`}
    route={repairTicket.close}
    toBody={(values) => ({ ...values, id: ticket.id }) as unknown as BodyOf<typeof repairTicket.close>}
    refresh={refresh}
    okText="关闭工单"
    onClose={onClose}
  >
    <Field name="reason" label="关闭原因" help="用于无需维修的工单；关联的告警不受影响">
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 5 }} />
    </Field>
  </FormDialog>
)
