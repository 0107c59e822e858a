import { chargingOrder } from '@wattdeck/contract/order/charging-order.ts'
import {
  orderReview,
  reviewChoice,
  type ReviewOption,
  type ReviewOrder,
} from '@wattdeck/contract/order/order-review.ts'
import { Form, Modal, Radio } from 'antd'
import { ConsequenceNote } from '../../../kit/form/Consequence.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { Field, FormRoute } from '../../../kit/form/Field.tsx'
import { queryClient, refetchRoutes, routeKey, useDetail } from '../../../kit/api/queries.ts'
import { States } from '../../../kit/display/States.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { Explanation } from '../_shared/Explanation.tsx'
import * as shown from '../_shared/order-cells.tsx'
import { Rivals } from './order-review.rivals.tsx'
import { LinesField } from '../../../kit/form/fields/TextField.tsx'
import '../_shared/order.css'

type Props = { id: string; rivals?: ReviewOrder['rivals']; onClose: () => void }
type Values = { choice: ReviewOption['choice']; reason: string }

/** Selects one of the decisions calculated by the server, without entering an amount. */
export function DecideDialog({ id, rivals, onClose }: Props) {
  const [form] = Form.useForm<Values>()
  const options = useDetail(orderReview.options, { params: { id } })
  const submit = useSubmit(orderReview.decide, {
    feedback: 'inline',
    form,
    refresh: [orderReview.list, chargingOrder.read, chargingOrder.postings],
    onDone: () => {
      queryClient.removeQueries({ queryKey: routeKey(orderReview.options, { id }) })
      onClose()
    },
    onFailed: () => void refetchRoutes([orderReview.options]),
  })
  const choice = Form.useWatch('choice', form)
  const chosen = options.data?.find((option) => option.choice === choice)
  return (
    <Modal
      open
      title={`复核订单：${id}`}
      width={780}
      okText={chosen === undefined ? '确定' : chosen.choice === 'release' ? '全额退回' : `按 ¥${chosen.total} 结算`}
      cancelText="取消"
      okButtonProps={{ disabled: chosen === undefined || options.isFetching }}
      confirmLoading={submit.pending}
      mask={{ closable: false }}
      onCancel={onClose}
      onOk={() => form.submit()}
    >
      <FailureAlert texts={submit.texts} />
      {rivals && <Rivals rivals={rivals} />}
      <FormRoute value={orderReview.decide}>
        <Form
          form={form}
          layout="vertical"
          onFinish={({ reason }) =>
            void submit.run({ body: { id, choice: choice ?? 'release', total: chosen?.total ?? '', reason } })
          }
        >
          <States query={options} rows={6}>
            {(data) => (
              <Field name="choice" label="处理方式" choose>
                <Radio.Group className="review-choices">
                  {data.map((option) => (
                    <Radio key={option.choice} value={option.choice} disabled={option.problem !== null}>
                      <Choice option={option} />
                    </Radio>
                  ))}
                </Radio.Group>
              </Field>
            )}
          </States>
          {chosen && (
            <ConsequenceNote
              facts={[
                ['订单号', id],
                ['处理方式', reviewChoice.show(chosen.choice).label],
                ['结算金额', shown.yuan(chosen.total)],
                [chosen.newHold ? '补扣' : '退回用户', shown.yuan(chosen.newHold ? chosen.total : chosen.returned)],
              ]}
              effect={reviewEffect(chosen)}
            />
          )}
          {chosen && chosen.explanation.length > 0 && <Explanation lines={chosen.explanation} />}
          <LinesField name="reason" label="复核说明" autoSize={{ minRows: 2, maxRows: 4 }} />
        </Form>
      </FormRoute>
    </Modal>
  )
}

const reviewEffect = ({ choice, newHold }: ReviewOption) => {
  if (choice === 'release') return '不计费，预付金额全部退回用户'
  return newHold ? '预付金额已退回，将从用户余额补扣' : '按所选账单结算，多余的预付金额退回用户'
}

function Choice({ option }: { option: ReviewOption }) {
  const { choice, problem, total, returned, newHold, durationS, energyDwh } = option
  const { label } = reviewChoice.show(choice)
  if (problem !== null)
    return (
      <>
        {label} <span className="meta">不可选：{problem}</span>
      </>
    )
  return (
    <>
      {label} <strong>{shown.yuan(total)}</strong>{' '}
      <span className="meta">
        {durationS !== null && energyDwh !== null && (
          <>
            时长 {shown.duration(durationS)}，电量 {shown.energy(energyDwh)} kWh，
          </>
        )}
        {newHold ? '预付金额已退回，将从用户余额补扣' : `退回 ${shown.yuan(returned)}`}
      </span>
    </>
  )
}
