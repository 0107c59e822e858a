import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'

type Props = { id: string; held: string; onClose: () => void }

/** Closes an order that never started; the server refuses it while the device may still start. */
export const CloseDialog = ({ id, held, onClose }: Props) => (
  <FormDialog
    title={`关闭订单：${id}`}
    route={unfinishedOrder.close}
    okText="关闭并退回"
    toBody={(values) => ({ ...values, id }) as BodyOf<typeof unfinishedOrder.close>}
    refresh={[unfinishedOrder.list, chargingOrder.read, chargingOrder.postings]}
    onClose={onClose}
  >
    <Field
      name="reason"
      label="关闭原因"
      help={`预付的 ¥${held} 全额退回付款账户，不产生费用；设备之后再启动会被停止，补报的账单转人工复核`}
    >
      <Input.TextArea rows={2} maxLength={200} showCount />
    </Field>
  </FormDialog>
)
