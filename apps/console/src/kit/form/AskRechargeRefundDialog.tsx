import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type RechargeQuote, rechargeRefund } from '@wattdeck/contract/order/recharge-refund.ts'
import { payOrder } from '@wattdeck/contract/order/pay-order.ts'
import { rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { parseYuan } from '@wattdeck/domain/money.ts'
import { Alert, Descriptions, Form, Input } from 'antd'
import { errorText } from '../api/error-handling.ts'
import { Field } from './Field.tsx'
import { FormDialog } from './FormDialog.tsx'
import { useDetail } from '../api/queries.ts'
import { useDebouncedText } from '../display/use-settled.ts'
import './form.css'

type Props = {
  rechargeNo?: string
  /** Further lists to refetch. */
  refresh?: readonly AnyRoute[]
  onClose: () => void
}

const noLists: readonly AnyRoute[] = []
const yuan = (amount: string) => `¥${amount}`

/** Requests a refund of a recharge. While the user types the amount, the server quotes the effect on the bonus. */
export const AskRechargeRefundDialog = ({ rechargeNo, refresh = noLists, onClose }: Props) => (
  <FormDialog
    title="申请充值退款"
    route={rechargeRefund.add}
    okText="提交审核"
    initial={rechargeNo === undefined ? {} : { rechargeNo }}
    toBody={(values) => values as BodyOf<typeof rechargeRefund.add>}
    refresh={[rechargeRefund.list, rechargeRecord.list, payOrder.list, ...refresh]}
    onClose={onClose}
  >
    <Field name="rechargeNo" label="充值单号">
      <Input autoComplete="off" inputMode="numeric" disabled={rechargeNo !== undefined} />
    </Field>
    <Field name="amount" label="退款金额">
      <Input prefix="¥" inputMode="decimal" autoComplete="off" />
    </Field>
    <Quote />
    <Field name="reason" label="退款原因" help="提交后金额立即冻结，须由另外两人审核和审批">
      <Input.TextArea rows={2} maxLength={200} showCount />
    </Field>
  </FormDialog>
)

function Quote() {
  const form = Form.useFormInstance()
  const no = useDebouncedText((Form.useWatch('rechargeNo', form) as string | undefined) ?? '')
  const amount = useDebouncedText((Form.useWatch('amount', form) as string | undefined) ?? '')
  const fen = parseYuan(amount)
  const quote = useDetail(rechargeRefund.quote, {
    query: { rechargeNo: no, ...(fen === undefined ? {} : { amount: amount as never }) },
    enabled: /^[1-9]\d{0,17}$/.test(no),
  })
  if (quote.error) return <Alert className="form-note" type="warning" showIcon title={errorText(quote.error)} />
  return quote.data === undefined ? null : <QuoteFacts quote={quote.data} />
}

const QuoteFacts = ({ quote }: { quote: RechargeQuote }) => (
  <Descriptions
    className="form-note"
    size="small"
    bordered
    column={2}
    items={[
      { key: 'recharged', label: '充值金额', children: yuan(quote.recharged) },
      { key: 'refundable', label: '可退', children: <strong>{yuan(quote.refundable)}</strong> },
      { key: 'gift', label: '扣回赠送', children: yuan(quote.gift) },
      { key: 'spent', label: '扣回已用赠送', children: yuan(quote.giftSpent) },
      { key: 'payout', label: '实退金额', children: <strong>{yuan(quote.payout)}</strong> },
      { key: 'refunded', label: '已退', children: yuan(quote.refunded) },
    ]}
  />
)
