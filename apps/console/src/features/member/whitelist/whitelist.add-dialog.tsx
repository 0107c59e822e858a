import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { whitelistFunder, whitelistRule, whitelistScope } from '@wattdeck/contract/member/whitelist-codes.ts'
import { whitelist } from '@wattdeck/contract/member/whitelist.ts'
import { Form, Radio } from 'antd'
import { useUser } from '../../../kit/api/user.ts'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'

type Body = BodyOf<typeof whitelist.add>
const { free, discount, reduction, fixed, freeTimes } = whitelistRule.code
const personKeys = [
  { value: 'phone', label: '手机号' },
  { value: 'cardNo', label: '储值卡卡号' },
]
/** The values that belong to each rule. */
const valuesOf: Readonly<Record<number, readonly string[]>> = {
  [free]: ['freeKwh'],
  [discount]: ['payPercent'],
  [reduction]: ['off'],
  [fixed]: ['pay'],
  [freeTimes]: ['freeKwh', 'times'],
}
const allValues = ['payPercent', 'off', 'pay', 'freeKwh', 'times']

export function AddEntryDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  return (
    <FormDialog
      title="加入白名单"
      route={whitelist.add}
      okText="提交"
      size={780}
      columns={2}
      initial={{
        by: 'phone',
        rule: discount,
        scope: whitelistScope.code.charge,
        funder: whitelistFunder.code.organise,
        dayTimes: 3,
        organiseId: user?.organiseId,
      }}
      toBody={bodyOf}
      refresh={[whitelist.list]}
      onClose={onClose}
    >
      <EntryFields />
    </FormDialog>
  )
}

/** Only the chosen key of the person and the values of the chosen rule are sent. */
function bodyOf({ by, ...values }: Record<string, unknown>): Body {
  const unused = new Set([
    by === 'phone' ? 'cardNo' : 'phone',
    ...allValues.filter((name) => !valuesOf[Number(values['rule'])]?.includes(name)),
  ])
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unused.has(name))) as Body
}

function EntryFields() {
  const by = Form.useWatch<string | undefined>('by')
  const rule = Form.useWatch<number | undefined>('rule') ?? discount
  const has = (name: string) => valuesOf[rule]?.includes(name) === true
  return (
    <>
      <TextField name="name" label="姓名" maxLength={40} />
      <Form.Item name="by" label="识别方式">
        <Radio.Group options={personKeys} />
      </Form.Item>
      {by === 'cardNo' ? (
        <TextField name="cardNo" label="卡号" required inputMode="numeric" help="卡面上的号码" />
      ) : (
        <TextField name="phone" label="手机号" required inputMode="numeric" help="尚未注册的手机号，注册后即享受" />
      )}
      <SelectField name="rule" label="优惠规则" options={[...whitelistRule.options]} />
      {has('payPercent') && (
        <NumberField name="payPercent" label="按原价的" required min={1} max={99} suffix="%" help="八折填 80" />
      )}
      {has('off') && <TextField name="off" label="每次减" required prefix="¥" inputMode="decimal" />}
      {has('pay') && <TextField name="pay" label="每次最多付" required prefix="¥" inputMode="decimal" />}
      {has('freeKwh') && (
        <NumberField
          name="freeKwh"
          label="每次免费电量"
          required
          min={1}
          max={200}
          suffix="度"
          help="超出部分按原价收费；没有余额时到量即停"
        />
      )}
      {has('times') && <NumberField name="times" label="总次数" required min={1} max={10_000} suffix="次" />}
      <NumberField name="dayTimes" label="每日次数" min={1} max={50} suffix="次" help="没有产生优惠的充电不计次数" />
      <SelectField name="scope" label="适用费用" options={[...whitelistScope.options]} help="占位费不优惠" />
      <SelectField name="funder" label="承担方" options={[...whitelistFunder.options]} help="由承担方补给站点" />
      <Field name="startsOn" label="开始日期" choose>
        <DayPicker />
      </Field>
      <Field name="endsOn" label="结束日期" choose help="含当天">
        <DayPicker />
      </Field>
      <OrganiseField />
      <AgentField help="留空则机构内各站点适用" />
      <SiteField help="留空则其下各站点适用" />
      <LinesField name="remark" label="备注" rows={2} maxLength={200} wide />
    </>
  )
}
