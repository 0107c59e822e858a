import { rechargeTarget } from '@wattdeck/contract/accounting/pay-codes.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { offlineRecharge, offlineWay, type Payee } from '@wattdeck/contract/operating/offline-recharge.ts'
import { offlineLimits } from '@wattdeck/domain/manual-credit.ts'
import { parseYuan, yuanText } from '@wattdeck/domain/money.ts'
import { Alert, Descriptions, Form, Radio } from 'antd'
import { errorText } from '../../../kit/api/error-handling.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import { useDebouncedText } from '../../../kit/display/use-settled.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { PictureField } from '../../../kit/media/PictureField.tsx'
import { PayeeSelect } from './offline-recharge.payee-select.tsx'
import '../../../kit/form/form.css'

type Body = BodyOf<typeof offlineRecharge.add>
type Values = Partial<Body> & { target?: 1 | 2 }
const { wallet, card } = rechargeTarget.code
const { cash, transfer } = offlineWay.code

/** Values of the inputs that are hidden are not sent. */
function bodyOf({ target, memberId, cardId, bankRef, ...rest }: Values): Body {
  const payee = target === card ? { cardId } : { memberId }
  return { ...rest, ...payee, ...(rest.way === transfer ? { bankRef } : {}) } as Body
}

type Props = {
  /** The card that the dialog opens with. */
  card?: Payee
  onClose: () => void
}

/** Money that was taken at the desk. The server computes the gift, and shows it before the request. */
export const AddOfflineDialog = ({ card: known, onClose }: Props) => (
  <FormDialog
    title="新增充值"
    route={offlineRecharge.add}
    okText="提交审核"
    initial={known === undefined ? { target: wallet, way: cash } : { target: card, cardId: known.id, way: cash }}
    toBody={(values) => bodyOf(values as Values)}
    refresh={[offlineRecharge.list]}
    onClose={onClose}
  >
    <PayeeFields known={known} />
    <TextField
      name="amount"
      label="金额"
      help={`含赠送单笔不超过${yuanText(offlineLimits.onceFen)}元，每人每日不超过${yuanText(offlineLimits.personDayFen)}元`}
      prefix="¥"
      inputMode="decimal"
    />
    <Quote />
    <Evidence />
    <LinesField name="remark" label="备注" rows={2} maxLength={200} showCount />
  </FormDialog>
)

function PayeeFields({ known }: { known: Payee | undefined }) {
  const target = (Form.useWatch('target') as 1 | 2 | undefined) ?? wallet
  return (
    <>
      <Form.Item name="target" label="充值对象">
        <Radio.Group options={rechargeTarget.options} />
      </Form.Item>
      {target === card ? (
        <Field key="card" name="cardId" label="储值卡" choose required>
          <PayeeSelect target={card} known={known} placeholder="输入完整卡号查找" />
        </Field>
      ) : (
        <Field key="member" name="memberId" label="会员" choose required>
          <PayeeSelect target={wallet} placeholder="输入完整手机号或会员ID查找" />
        </Field>
      )}
    </>
  )
}

function Evidence() {
  const isTransfer = Form.useWatch('way') === transfer
  return (
    <>
      <Field name="way" label="收款方式" choose>
        <Radio.Group options={offlineWay.options} />
      </Field>
      {isTransfer && (
        <TextField
          name="bankRef"
          label="银行流水号"
          required
          help="付款方转账回单上的流水号，同一流水号只能充值一次"
          maxLength={40}
        />
      )}
      <Field name="pictureId" label="凭证" choose required={isTransfer}>
        <PictureField />
      </Field>
    </>
  )
}

function Quote() {
  const { target, memberId, cardId, amount } = (Form.useWatch([]) ?? {}) as Record<string, string | number | undefined>
  const text = useDebouncedText(String(amount ?? ''))
  const payee = target === card ? { cardId } : { memberId }
  const quote = useDetail(offlineRecharge.quote, {
    query: { ...payee, amount: text } as never,
    enabled: parseYuan(text) !== undefined && Object.values(payee)[0] !== undefined,
  })
  if (quote.error) return <Alert className="form-note" type="warning" showIcon title={errorText(quote.error)} />
  if (quote.data === undefined) return null
  const { gift, credited, before, after, problem } = quote.data
  if (problem !== null) return <Alert className="form-note" type="warning" showIcon title={problem} />
  return (
    <Descriptions
      className="form-note"
      size="small"
      bordered
      column={{ xs: 1, sm: 2 }}
      items={[
        { key: 'gift', label: '赠送', children: <strong>¥{gift}</strong> },
        { key: 'credited', label: '到账', children: <strong>¥{credited}</strong> },
        { key: 'before', label: '当前余额', children: `¥${before}` },
        { key: 'after', label: '充值后余额', children: `¥${after}` },
      ]}
    />
  )
}
