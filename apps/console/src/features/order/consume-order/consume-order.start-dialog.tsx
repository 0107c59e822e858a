import { consumeOrder, type StartPayer } from '@wattdeck/contract/order/consume-order.ts'
import { chargeLimit } from '@wattdeck/contract/order/order-codes.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Alert, Button, Form, Input, InputNumber } from 'antd'
import { type ChangeEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { CodeInput } from '../../../kit/form/CodeInput.tsx'
import { FailureAlert } from '../../../kit/form/FailureAlert.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { orderPath } from '../../../kit/objects/object-types.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

const { money, minutes, energy } = chargeLimit.code
const ways = chargeLimit.options.filter(({ value }) => value !== energy)

/** Starts a charge for a member at the device, who consents by an SMS code and pays. */
export function StartDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <FormDialog
      title="远程启动充电"
      route={consumeOrder.start}
      refresh={[consumeOrder.list]}
      initial={{ limitBy: money, portNo: 1 }}
      toBody={({ deviceNo, portNo, phone, code, limitBy, amount, minutes: lasts }) =>
        ({
          deviceNo,
          portNo,
          phone,
          code,
          limitBy,
          ...(limitBy === money ? { amount } : {}),
          ...(limitBy === minutes ? { minutes: lasts } : {}),
        }) as BodyOf<typeof consumeOrder.start>
      }
      okText="启动"
      onClose={onClose}
      onDone={({ id }) => void navigate(orderPath(id))}
    >
      <Field name="deviceNo" label="设备编号">
        <Input />
      </Field>
      <Field name="portNo" label="端口">
        <InputNumber min={1} max={24} precision={0} />
      </Field>
      <PayerFields />
      <SelectField name="limitBy" label="充电方式" options={ways} />
      <LimitFields />
    </FormDialog>
  )
}

/** The search result, with the phone and the device it belongs to. */
type SearchResult = { text: string; charges: boolean; of: string }

/** The payer. Reveals only whether the member can pay: a known phone number finds its member. */
function PayerFields() {
  const form = Form.useFormInstance()
  const phone = Form.useWatch<string | undefined>('phone')
  const deviceNo = Form.useWatch<string | undefined>('deviceNo')
  const [result, setResult] = useState<SearchResult>()
  const of = `${phone}@${deviceNo}`
  const search = useSubmit(consumeOrder.payer, {
    feedback: 'quiet',
    form,
    onDone: (data) => setResult({ ...searchResultOf(data), of }),
  })
  const code = useSubmit(consumeOrder.sendCode, { form })
  const body = { phone: phone ?? '', deviceNo: deviceNo ?? '' }
  return (
    <>
      <Field name="phone" label="用户手机号" help="先填写设备编号，再按手机号查找">
        <PhoneSearch pending={search.pending} onSearch={() => void search.run({ body })} />
      </Field>
      <FailureAlert texts={search.texts} />
      {result?.of === of && (
        <Alert className="payer-problem" type={result.charges ? 'success' : 'warning'} showIcon title={result.text} />
      )}
      <Field name="code" label="用户验证码" help="验证码发送到用户手机，用户同意后由用户告知">
        <CodeInput pending={code.pending} send={() => code.run({ body })} />
      </Field>
    </>
  )
}

function searchResultOf({ found, name, enough }: StartPayer): Omit<SearchResult, 'of'> {
  if (!found) return { text: '没有找到该手机号的用户，或用户已停用', charges: false }
  return { text: `${name ?? ''}，${enough ? '余额足够' : '余额不足，请用户先充值'}`, charges: enough }
}

/** The props that a `Field` passes to its control. */
type Control = { id?: string; value?: string; onChange?: (event: ChangeEvent<HTMLInputElement>) => void }

const PhoneSearch = ({ pending, onSearch, ...control }: Control & { pending: boolean; onSearch: () => void }) => (
  <div className="payer-search">
    <Input
      {...control}
      inputMode="numeric"
      autoComplete="off"
      onPressEnter={(event) => {
        event.preventDefault()
        onSearch()
      }}
    />
    <Button loading={pending} onClick={onSearch}>
      查找
    </Button>
  </div>
)

/** Only the fields of the selected limit. */
function LimitFields() {
  const limitBy = Form.useWatch<number | undefined>('limitBy')
  if (limitBy === money)
    return (
      <Field name="amount" label="金额（元）" required help="先从余额中冻结，用不完的退回">
        <Input inputMode="decimal" />
      </Field>
    )
  if (limitBy === minutes)
    return (
      <Field name="minutes" label="时长（分钟）" required>
        <InputNumber min={1} max={1440} precision={0} />
      </Field>
    )
  return null
}
