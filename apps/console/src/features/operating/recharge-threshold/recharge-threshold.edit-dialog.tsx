import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { rechargeThreshold, type RechargePlan } from '@wattdeck/contract/operating/recharge-threshold.ts'
import { planMost } from '@wattdeck/domain/recharge-plan.ts'
import { useUser } from '../../../kit/api/user.ts'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'
import { SwitchField } from '../../../kit/form/fields/SwitchField.tsx'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { TierInputs } from './recharge-threshold.tiers.tsx'

type Props = { row?: RechargePlan | undefined; onClose: () => void }
const refresh = [rechargeThreshold.list]
const blank = { min: '10', allowsCustom: true, tiers: [{ pay: '', gift: '0' }] }

const valuesOf = ({ min, allowsCustom, tiers, giftValidDays, startsOn, endsOn }: RechargePlan) => ({
  min,
  allowsCustom,
  tiers,
  giftValidDays: giftValidDays ?? undefined,
  startsOn,
  endsOn: endsOn ?? undefined,
})

export function PlanDialog({ row, onClose }: Props) {
  const user = useUser()
  const common = { size: 780 as const, columns: 2 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑充值门槛：${row.place}`}
        route={rechargeThreshold.edit}
        initial={valuesOf(row)}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof rechargeThreshold.edit>}
      >
        <PlanFields />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增充值门槛"
      route={rechargeThreshold.add}
      initial={{ ...blank, organiseId: user?.organiseId }}
    >
      <OrganiseField />
      <AgentField help={user?.agentId ? '留空则适用于本代理商的会员' : '留空则适用于整个机构的会员'} />
      <SiteField help="留空则适用于所选代理商或机构的会员" />
      <PlanFields />
    </FormDialog>
  )
}

const PlanFields = () => (
  <>
    <TextField name="min" label="最低充值" help="自定义金额和各档位都不能低于该金额" suffix="元" inputMode="decimal" />
    <SwitchField name="allowsCustom" label="自定义金额" help="关闭后只能按档位充值；自定义金额没有赠送" />
    <Field name="tiers" label="档位" wide help={`赠送金额不能超过充值金额，最多${planMost.tiers}个档位`}>
      <TierInputs />
    </Field>
    <NumberField
      name="giftValidDays"
      label="赠送有效期"
      help="从到账次日起计算的天数，到期未用的赠送自动清零；留空则长期有效"
      suffix="天"
      min={1}
      max={planMost.validDays}
    />
    <Field name="startsOn" label="生效日期" choose>
      <DayPicker />
    </Field>
    <Field name="endsOn" label="截止日期" choose help="当天仍有效；留空则长期有效，直到停用">
      <DayPicker />
    </Field>
  </>
)
