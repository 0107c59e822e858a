import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import { type SettlePreview, unfinishedOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import { Descriptions, Form, Input, Modal } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { queryClient, refetchRoutes, routeKey, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { Explanation } from '../_shared/Explanation.tsx'
import * as shown from '../_shared/order-cells.tsx'
import '../_shared/order.css'

type Props = { id: string; onClose: () => void }

/** Shows the bill and settles exactly that amount: after a change the new bill is shown first. */
export function SettleDialog({ id, onClose }: Props) {
  const [form] = Form.useForm<{ reason: string }>()
  const preview = useDetail(unfinishedOrder.preview, { params: { id } })
  const submit = useSubmit(unfinishedOrder.settle, {
    feedback: 'inline',
    form,
    refresh: [unfinishedOrder.list, chargingOrder.read, chargingOrder.postings],
    onDone: () => {
      queryClient.removeQueries({ queryKey: routeKey(unfinishedOrder.preview, { id }) })
      onClose()
    },
    onFailed: () => void refetchRoutes([unfinishedOrder.preview]),
  })
  const total = preview.data?.total
  return (
    <Modal
      open
      title={`强制结算：${id}`}
      width={680}
      okText={total === undefined ? '结算' : `按 ¥${total} 结算`}
      cancelText="取消"
      okButtonProps={{ danger: true, disabled: total === undefined || preview.isFetching }}
      confirmLoading={submit.pending}
      mask={{ closable: false }}
      onCancel={onClose}
      onOk={() => form.submit()}
    >
      <FailureAlert texts={submit.texts} />
      <States query={preview} rows={5}>
        {(data) => <Preview id={id} data={data} />}
      </States>
      <FormRoute value={unfinishedOrder.settle}>
        <Form
          form={form}
          layout="vertical"
          onFinish={({ reason }) => void submit.run({ body: { id, total: total ?? '', reason } })}
        >
          <Field name="reason" label="结算原因">
            <Input.TextArea autoSize={{ minRows: 2, maxRows: 4 }} />
          </Field>
        </Form>
      </FormRoute>
    </Modal>
  )
}

const Preview = ({ id, data }: { id: string; data: SettlePreview }) => (
  <>
    <ConsequenceNote
      facts={[
        ['订单号', id],
        ['结算金额', shown.yuan(data.total)],
        ['退回用户', shown.yuan(data.returned)],
      ]}
      effect={
        data.reportedAt === null
          ? '设备从未上报过本次充电，不计费并全额退回'
          : '金额由平台按设备最后一次上报计算，结算后设备补报的账单不再更改金额'
      }
    />
    <Descriptions
      size="small"
      column={2}
      items={[
        { key: 'at', label: '最后上报', children: cells.time(data.reportedAt) },
        { key: 'duration', label: '充电时长', children: shown.duration(data.durationS) },
        { key: 'energy', label: '电量（kWh）', children: shown.energy(data.energyDwh) },
        {
          key: 'parts',
          label: '电费 + 服务费',
          children: `${shown.yuan(data.electricity)} + ${shown.yuan(data.service)}`,
        },
      ]}
    />
    <Explanation lines={data.explanation} />
  </>
)
