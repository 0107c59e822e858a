import { consumeOrder, type StartPayer } from '@wattdeck/contract/order/consume-order.ts'
import { chargeLimit } from '@wattdeck/contract/order/order-codes.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { Alert, Button, Form, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../kit/api.ts'
import { errorText } from '../kit/error-handling.ts'
import { Field } from '../kit/Field.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { detailPath } from './order-cells.tsx'

const { money, minutes, energy } = chargeLimit.code
const ways = chargeLimit.options.filter(({ value }) => value !== energy)

/** Starts a charge for a member who stands at the device: the member is found by phone, and pays. */
export function StartDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <FormDialog
      title="远程启动充电"
      route={consumeOrder.start}
      refresh={[consumeOrder.list]}
      initial={{ limitBy: money, portNo: 1 }}
      toBody={({ deviceNo, portNo, memberId, limitBy, amount, minutes: lasts }) =>
        ({
          deviceNo,
          portNo,
          memberId,
          limitBy,
          ...(limitBy === money ? { amount } : {}),
          ...(limitBy === minutes ? { minutes: lasts } : {}),
        }) as BodyOf<typeof consumeOrder.start>
      }
      okText="启动"
      onClose={onClose}
      onDone={({ id }) => void navigate(detailPath(id))}
    >
      <Field name="deviceNo" label="设备编号">
        <Input />
      </Field>
      <Field name="portNo" label="端口">
        <InputNumber min={1} max={24} precision={0} />
      </Field>
      <PayerField />
      <Field name="limitBy" label="充电方式" choose>
        <Select options={ways} />
      </Field>
      <LimitFields />
    </FormDialog>
  )
}

/** Who pays. Nobody is chosen from a list of people: who knows the number finds the one it belongs to. */
function PayerField() {
  const form = Form.useFormInstance()
  const [phone, setPhone] = useState('')
  const [payer, setPayer] = useState<StartPayer>()
  const [problem, setProblem] = useState<string>()
  async function look() {
    setPayer(undefined)
    form.setFieldValue('memberId', undefined)
    try {
      const deviceNo = String(form.getFieldValue('deviceNo') ?? '')
      const { data } = await call(consumeOrder.payer, { query: { phone, deviceNo } })
      setPayer(data)
      setProblem(data.enabled ? undefined : '该用户已停用，不能充电')
      form.setFieldValue('memberId', data.id)
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  return (
    <Field
      name="memberId"
      label="用户"
      choose
      help={payer ? `${payer.name} ${payer.phone}，余额 ¥${payer.balance}` : '先填写设备编号，再按手机号查找'}
    >
      <PhoneSearch phone={phone} onPhone={setPhone} onLook={() => void look()} problem={problem} />
    </Field>
  )
}

type SearchProps = {
  phone: string
  onPhone: (phone: string) => void
  onLook: () => void
  problem: string | undefined
  id?: string
}

const PhoneSearch = ({ phone, onPhone, onLook, problem, id }: SearchProps) => (
  <>
    <div className="payer-search">
      <Input
        {...(id === undefined ? {} : { id })}
        value={phone}
        placeholder="用户手机号"
        inputMode="numeric"
        onChange={(event) => onPhone(event.target.value.trim())}
        onPressEnter={(event) => {
          event.preventDefault()
          onLook()
        }}
      />
      <Button onClick={onLook}>查找</Button>
    </div>
    {problem !== undefined && <Alert className="payer-problem" type="warning" showIcon title={problem} />}
  </>
)

/** What the chosen way asks for, and nothing else. */
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
