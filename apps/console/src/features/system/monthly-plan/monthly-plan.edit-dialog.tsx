import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { planReach, planUnit } from '@wattdeck/contract/system/monthly-plan-codes.ts'
import { monthlyPlan, type MonthlyPlan } from '@wattdeck/contract/system/monthly-plan.ts'
import { passMost } from '@wattdeck/domain/monthly-pass.ts'
import { Form } from 'antd'
import { useUser } from '../../../kit/api/user.ts'
import { Field } from '../../../kit/form/Field.tsx'
import { NumberField } from '../../../kit/form/fields/NumberField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import { LinesField, TextField } from '../../../kit/form/fields/TextField.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { AgentField, OrganiseField, SiteField } from '../../../kit/owner-region/OwnerFields.tsx'
import { SitesSelect } from './SitesSelect.tsx'

type Props = { row?: MonthlyPlan; copies?: boolean; onClose: () => void }
const { minutes: byMinutes, energy } = planUnit.code
const { owner, sites } = planReach.code
const refresh = [monthlyPlan.list]
const blank = { days: 30, unit: byMinutes, minutes: 240, dayTimes: 1, reach: owner }

const valuesOf = (plan: MonthlyPlan) => ({
  name: plan.name,
  price: plan.price,
  days: plan.days,
  unit: plan.useMinutes === null ? energy : byMinutes,
  minutes: plan.useMinutes ?? undefined,
  kwh: plan.useDwh === null ? undefined : plan.useDwh / 10_000,
  dayTimes: plan.dayTimes,
  monthTimes: plan.monthTimes ?? undefined,
  reach: plan.siteIds === null ? owner : sites,
  siteIds: plan.siteIds ?? undefined,
  remark: plan.remark ?? undefined,
})

/** Only the quota of the chosen unit is sent, and sites only where they are chosen. */
function contentOf(values: Record<string, unknown>) {
  const unused = new Set([
    Number(values['unit']) === byMinutes ? 'kwh' : 'minutes',
    ...(Number(values['reach']) === sites ? [] : ['siteIds']),
  ])
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unused.has(name)))
}

export function PlanDialog({ row, copies = false, onClose }: Props) {
  const user = useUser()
  const common = { size: 780 as const, columns: 2 as const, refresh, onClose }
  if (row !== undefined && !copies)
    return (
      <FormDialog
        {...common}
        title={`编辑包月方案：${row.name}`}
        route={monthlyPlan.edit}
        initial={valuesOf(row)}
        toBody={(values) => ({ ...contentOf(values), id: row.id }) as BodyOf<typeof monthlyPlan.edit>}
      >
        <PlanFields row={row} />
      </FormDialog>
    )
  const place = row === undefined ? { organiseId: user?.organiseId } : placeOf(row)
  return (
    <FormDialog
      {...common}
      title={row === undefined ? '新增包月方案' : `复制包月方案：${row.name}`}
      route={monthlyPlan.add}
      initial={{ ...(row === undefined ? blank : { ...valuesOf(row), name: `${row.name}（副本）` }), ...place }}
      toBody={(values) => contentOf(values) as BodyOf<typeof monthlyPlan.add>}
    >
      <OrganiseField clears={['siteIds']} />
      <AgentField clears={['siteIds']} help="留空则属于整个机构" />
      <SiteField clears={['siteIds']} help="留空则属于所选代理商或机构" />
      <PlanFields row={row} />
    </FormDialog>
  )
}

const placeOf = ({ organiseId, agentId, siteId }: MonthlyPlan) => ({
  organiseId,
  agentId: agentId ?? undefined,
  siteId: siteId ?? undefined,
})

function PlanFields({ row }: { row: MonthlyPlan | undefined }) {
  const unit = Form.useWatch<number | undefined>('unit') ?? byMinutes
  const reach = Form.useWatch<number | undefined>('reach') ?? owner
  return (
    <>
      <TextField name="name" label="方案名称" maxLength={40} />
      <TextField name="price" label="价格" prefix="¥" inputMode="decimal" />
      <NumberField name="days" label="有效天数" min={1} max={passMost.days} suffix="天" help="从支付当天算起" />
      <NumberField name="dayTimes" label="每日次数" min={1} max={passMost.dayTimes} suffix="次" />
      <SelectField name="unit" label="单次额度" options={[...planUnit.options]} help="超出的部分按消费标准收费" />
      {unit === byMinutes ? (
        <NumberField name="minutes" label="单次最长时长" required min={1} max={passMost.minutes} suffix="分钟" />
      ) : (
        <NumberField
          name="kwh"
          label="单次电量"
          required
          min={0.1}
          max={passMost.kwh}
          precision={1}
          step={0.1}
          suffix="度"
        />
      )}
      <NumberField
        name="monthTimes"
        label="每月总次数"
        min={1}
        max={passMost.monthTimes}
        suffix="次"
        help="按自然月计算；留空则不限"
      />
      <SelectField name="reach" label="适用站点" options={[...planReach.options]} />
      {reach === sites && (
        <Field name="siteIds" label="指定站点" choose required wide help={`最多${passMost.sites}个`}>
          <SitesSelect known={row} />
        </Field>
      )}
      <LinesField name="remark" label="备注" rows={2} maxLength={200} wide />
    </>
  )
}
