import type { Alarm } from '@wattdeck/contract/product/alarm-center.ts'
import { alarmDetailText, alarmKind, alarmSeverity } from '@wattdeck/contract/product/alarm-codes.ts'
import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { repairPictures, repairPriority, repairTicket } from '@wattdeck/contract/product/repair-ticket.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { PicturesField } from '../media/PicturesField.tsx'
import { TextField, LinesField } from '../form/fields/TextField.tsx'
import { NumberField } from '../form/fields/NumberField.tsx'
import { SelectField } from '../form/fields/SelectField.tsx'

type Props = { alarm?: Alarm; deviceNo?: string; refresh: readonly AnyRoute[]; onClose: () => void }

const ofAlarm = ({ deviceNo, portNo, kind, severity, detail }: Alarm) => ({
  deviceNo,
  portNo: portNo ?? undefined,
  fault: kind,
  priority: severity === alarmSeverity.code.critical ? repairPriority.code.high : repairPriority.code.normal,
  description: [alarmKind.show(kind).label, alarmDetailText(detail)].filter((part) => part !== '').join('：'),
})

/** A new ticket without a device, for a device, or for an alarm, which fills most of the fields. */
export const TicketDialog = ({ alarm, deviceNo, refresh, onClose }: Props) => (
  <FormDialog
    title={alarm ? `报修：${alarm.deviceNo}` : '新增维修工单'}
    route={repairTicket.add}
    columns={2}
    size={780}
    initial={alarm ? ofAlarm(alarm) : { deviceNo, priority: repairPriority.code.normal }}
    toBody={(values) =>
      ({ ...values, ...(alarm && { alarmId: alarm.id }) }) as unknown as BodyOf<typeof repairTicket.add>
    }
    refresh={[repairTicket.list, ...refresh]}
    okText="提交"
    onClose={onClose}
  >
    <TextField
      name="deviceNo"
      label="设备编号"
      help="机身铭牌上的编号"
      disabled={alarm !== undefined || deviceNo !== undefined}
    />
    <NumberField name="portNo" label="端口号" help="留空表示整机" min={1} max={24} />
    <SelectField name="fault" label="故障类型" options={alarmKind.options} />
    <SelectField name="priority" label="优先级" options={repairPriority.options} />
    <LinesField name="description" label="描述" wide autoSize={{ minRows: 3, maxRows: 8 }} />
    <PicturesField name="pictureIds" label="图片" max={repairPictures} />
    <TextField name="reporter" label="报修人" />
    <TextField name="phone" label="报修人手机" inputMode="tel" />
  </FormDialog>
)
