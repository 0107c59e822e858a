import { alarmCenter } from '@wattdeck/contract/product/alarm-center.ts'
import { repairPictures, repairTicket, type RepairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { Alert } from 'antd'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { PicturesField } from '../../../kit/media/PicturesField.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'

type Props = { ticket: RepairTicket; onClose: () => void }
const refresh = [repairTicket.list, repairTicket.read, alarmCenter.list, alarmCenter.totals]

/** The work done, with pictures. A reason is required while the device still has a problem. */
export const CompleteDialog = ({ ticket, onClose }: Props) => (
  <FormDialog
    title={`完成维修：${ticket.ticketNo}`}
    route={repairTicket.complete}
    also={{ id: ticket.id }}
    refresh={refresh}
    okText="完成维修"
    onClose={onClose}
  >
    {ticket.healthy === false && (
      <Alert type="warning" showIcon title="设备尚未恢复正常，须填写原因才能完成" className="wide-field" />
    )}
    <PicturesField name="pictureIds" label="维修照片" max={repairPictures} />
    <LinesField name="result" label="维修结果" autoSize={{ minRows: 3, maxRows: 8 }} />
    <TextField name="parts" label="更换件" />
    {ticket.healthy === false && (
      <LinesField name="reason" label="未恢复原因" required autoSize={{ minRows: 2, maxRows: 5 }} />
    )}
  </FormDialog>
)

/** Closes without a repair: false report or duplicate. */
export const CloseTicketDialog = ({ ticket, onClose }: Props) => (
  <FormDialog
    title={`关闭工单：${ticket.ticketNo}`}
    route={repairTicket.close}
    also={{ id: ticket.id }}
    refresh={refresh}
    okText="关闭工单"
    onClose={onClose}
  >
    <LinesField
      name="reason"
      label="关闭原因"
      help="用于无需维修的工单；关联的告警不受影响"
      autoSize={{ minRows: 2, maxRows: 5 }}
    />
  </FormDialog>
)
