import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { completedOrder } from '@wattdeck/contract/order/completed-order.ts'
import { consumeOrder } from '@wattdeck/contract/order/consume-order.ts'
import { refundWay } from '@wattdeck/contract/order/refund-codes.ts'
import { refundOrder } from '@wattdeck/contract/order/refund-order.ts'
import { Alert, Descriptions, Input, Modal, Radio } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import * as shown from '../_shared/order-cells.tsx'
import '../_shared/order.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

type Props = { orderNo: string; onClose: () => void }
const refresh = [refundOrder.list, consumeOrder.list, completedOrder.list, chargingOrder.read]

/** Requests a partial refund of a charge. The server calculates the refundable amount, again on submission. */
export function AskRefundDialog({ orderNo, onClose }: Props) {
  const quote = useDetail(refundOrder.quote, { query: { orderNo } })
  const { data } = quote
  if (data === undefined)
    return (
      <Modal open width={dialogWidth.s} title={`申请退款：${orderNo}`} footer={null} onCancel={onClose}>
        <States query={quote} rows={4}>
          {() => null}
        </States>
      </Modal>
    )
  return (
    <FormDialog
      title={`申请退款：${orderNo}`}
      route={refundOrder.add}
      okText="提交审批"
      initial={{ amount: data.refundable, way: refundWay.code.wallet }}
      toBody={(values) => ({ ...values, orderNo }) as BodyOf<typeof refundOrder.add>}
      refresh={refresh}
      onClose={onClose}
    >
      {data.doubts.length > 0 && (
        <Alert className="order-note" type="warning" showIcon title={`异常订单：${data.doubts.join('、')}`} />
      )}
      <Descriptions
        className="order-note"
        size="small"
        column={2}
        items={[
          { key: 'total', label: '订单金额', children: shown.yuan(data.total) },
          { key: 'refunded', label: '已退或审批中', children: shown.yuan(data.refunded) },
          { key: 'refundable', label: '可退', children: <strong>{shown.yuan(data.refundable)}</strong> },
          {
            key: 'parts',
            label: '其中',
            children: `充值 ${shown.yuan(data.refundablePaid)}，赠送 ${shown.yuan(data.refundableGift)}`,
          },
        ]}
      />
      <Field name="amount" label="退款金额" help="先退充值部分，再退赠送部分；赠送只退回赠送余额">
        <Input prefix="¥" inputMode="decimal" autoComplete="off" />
      </Field>
      <Field name="way" label="退款方式" choose help={`可原路退回 ${shown.yuan(data.byOrigin)}，不足部分退到钱包`}>
        <Radio.Group options={refundWay.options} />
      </Field>
      <Field name="reason" label="退款原因">
        <Input.TextArea rows={2} maxLength={200} showCount />
      </Field>
    </FormDialog>
  )
}
