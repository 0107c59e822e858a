import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { whitelistFunder, whitelistScope } from '@wattdeck/contract/member/whitelist-codes.ts'
import { couponKind } from '@wattdeck/contract/operating/coupon-codes.ts'
import { type Coupon, coupon, couponMost } from '@wattdeck/contract/operating/coupon.ts'
import { Form, Radio } from 'antd'
import { useUser } from '../../../kit/api/user.ts'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'

type Body = BodyOf<typeof coupon.add>
const { reduction, discount, minutes, energy, free } = couponKind.code
/** The values that belong to each kind. */
const valuesOf: Readonly<Record<number, readonly string[]>> = {
  [reduction]: ['off', 'from'],
  [discount]: ['payPercent', 'max'],
  [minutes]: ['freeMinutes'],
  [energy]: ['freeKwh'],
  [free]: ['max'],
}
const allValues = [...new Set(Object.values(valuesOf).flat())]
const claims = [
  { value: 'true', label: '用户可自行领取' },
  { value: 'false', label: '仅由后台发放' },
]
const stackings = [
  { value: 'true', label: '可叠加' },
  { value: 'false', label: '不叠加，取便宜的' },
]
const yuan = (fen: number | null) => (fen === null ? undefined : (fen / 100).toFixed(2))

/** The fields of a coupon that is copied; its days and its owner are chosen anew. */
const copyOf = (row: Coupon) => ({
  name: row.name,
  kind: row.kind,
  off: yuan(row.offFen),
  from: row.fromFen === 0 ? undefined : yuan(row.fromFen),
  payPercent: row.offBp === null ? undefined : (10_000 - row.offBp) / 100,
  max: yuan(row.maxFen),
  freeMinutes: row.freeMinutes ?? undefined,
  freeKwh: row.freeDwh === null ? undefined : row.freeDwh / 10_000,
  scope: row.scope,
  funder: row.funder,
  total: row.total,
  perMember: row.perMember,
  claimable: String(row.claimable),
  stacks: String(row.stacks),
  validDays: row.validDays ?? undefined,
  remark: row.remark ?? undefined,
})
const blank = {
  kind: reduction,
  scope: whitelistScope.code.service,
  funder: whitelistFunder.code.organise,
  perMember: 1,
  claimable: 'true',
  stacks: 'true',
}

export function AddCouponDialog({ of, onClose }: { of: Coupon | undefined; onClose: () => void }) {
  const user = useUser()
  return (
    <FormDialog
      title={of === undefined ? '新增优惠券' : `复制「${of.name}」`}
      route={coupon.add}
      okText="提交"
      size={780}
      columns={2}
      initial={{ ...(of === undefined ? blank : copyOf(of)), organiseId: user?.organiseId }}
      toBody={bodyOf}
      refresh={[coupon.list]}
      onClose={onClose}
    >
      <CouponFields />
    </FormDialog>
  )
}

/** Only the values of the chosen kind are sent. */
function bodyOf(values: Record<string, unknown>): Body {
  const unused = new Set(allValues.filter((name) => !valuesOf[Number(values['kind'])]?.includes(name)))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unused.has(name))) as Body
}

function CouponFields() {
  const kind = Form.useWatch<number | undefined>('kind') ?? reduction
  const has = (name: string) => valuesOf[kind]?.includes(name) === true
  return (
    <>
      <TextField name="name" label="名称" maxLength={40} help="用户和账单看到的名称" />
      <SelectField name="kind" label="类型" options={[...couponKind.options]} />
      {has('off') && <TextField name="off" label="减免" required prefix="¥" inputMode="decimal" />}
      {has('from') && (
        <TextField name="from" label="门槛" prefix="¥" inputMode="decimal" help="会员价之后的金额；留空则无门槛" />
      )}
      {has('payPercent') && (
        <NumberField name="payPercent" label="按原价的" required min={1} max={99} suffix="%" help="八折填 80" />
      )}
      {has('max') && <TextField name="max" label="最多减" required prefix="¥" inputMode="decimal" />}
      {has('freeMinutes') && (
        <NumberField
          name="freeMinutes"
          label="免费时长"
          required
          min={1}
          max={1440}
          suffix="分钟"
          help="超出部分按原价"
        />
      )}
      {has('freeKwh') && (
        <NumberField name="freeKwh" label="免费电量" required min={1} max={200} suffix="度" help="超出部分按原价" />
      )}
      <SelectField name="scope" label="适用费用" options={[...whitelistScope.options]} help="占位费不优惠" />
      <SelectField name="funder" label="承担方" options={[...whitelistFunder.options]} help="由承担方补给站点" />
      <NumberField
        name="total"
        label="总量"
        required
        min={1}
        max={couponMost.total}
        suffix="张"
        help="即预算，审核后不可增加"
      />
      <NumberField name="perMember" label="每人限领" required min={1} max={couponMost.perMember} suffix="张" />
      <Form.Item name="claimable" label="领取方式">
        <Radio.Group options={claims} />
      </Form.Item>
      <Form.Item name="stacks" label="会员价">
        <Radio.Group options={stackings} />
      </Form.Item>
      <NumberField
        name="validDays"
        label="领取后有效"
        min={1}
        max={couponMost.validDays}
        suffix="天"
        help="留空则到结束日期"
      />
      <Field name="startsOn" label="开始日期" choose>
        <DayPicker />
      </Field>
      <Field name="endsOn" label="结束日期" choose help="含当天；之后不能领取，也不能使用">
        <DayPicker />
      </Field>
      <OrganiseField />
      <AgentField help="留空则机构内各站点适用" />
      <SiteField help="留空则其下各站点适用" />
      <LinesField name="remark" label="使用说明" rows={2} maxLength={200} wide />
    </>
  )
}
