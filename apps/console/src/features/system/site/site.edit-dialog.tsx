import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { priceType, type Site, site, siteType } from '@wattdeck/contract/system/site.ts'
import { Form, Input, InputNumber, Select, Switch } from 'antd'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LocationField } from '../../../kit/owner-region/LocationField.tsx'
import { AgentField, OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { PicturesField } from '../../../kit/media/PicturesField.tsx'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { useUser } from '../../../kit/api/user.ts'

type Props = { row?: Site | undefined; onClose: () => void }
const refresh = [site.list, site.totals]

/** What the form begins with: everything the row has, but the phone, which is known here only masked. */
const initialOf = (row: Site) => ({
  ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  phone: undefined,
})

export function SiteDialog({ row, onClose }: Props) {
  const own = useUser()?.organiseId
  const common = { size: 900 as const, columns: 2 as const, refresh, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑站点：${row.name}`}
        route={site.edit}
        initial={initialOf(row)}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof site.edit>}
      >
        <AgentField />
        <SiteFields of={row} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增站点"
      route={site.add}
      initial={{
        organiseId: own,
        type: siteType.code.residential,
        priceType: priceType.code.residential,
        openHours: '00:00-24:00',
      }}
    >
      <OrganiseField />
      <AgentField />
      <SiteFields />
    </FormDialog>
  )
}

function SiteFields({ of }: { of?: Site }) {
  return (
    <>
      <Field name="name" label="站点名称">
        <Input autoComplete="off" />
      </Field>
      <Field name="code" label="站点编号" help="留空则自动编号">
        <Input autoComplete="off" />
      </Field>
      <Field name="type" label="类型" choose>
        <Select options={siteType.options} />
      </Field>
      <Field name="priceType" label="电价类型" choose>
        <Select options={priceType.options} />
      </Field>
      <RegionField />
      <Field name="address" label="地址">
        <Input autoComplete="off" />
      </Field>
      <LocationField />
      <Field name="openHours" label="营业时间">
        <Input placeholder="06:00-23:00" />
      </Field>
      <Field name="contact" label="负责人">
        <Input autoComplete="off" />
      </Field>
      <Field name="phone" label="电话" {...(of?.phone ? { help: '留空则不修改' } : {})}>
        <Input autoComplete="off" inputMode="tel" {...(of?.phone ? { placeholder: of.phone } : {})} />
      </Field>
      <Field name="parkingSpaces" label="车位数">
        <InputNumber min={0} max={100_000} precision={0} />
      </Field>
      <Field name="capacityKva" label="报装容量(kVA)">
        <InputNumber min={0} max={1_000_000} precision={0} />
      </Field>
      <Field name="parkingNote" label="停车费说明" wide>
        <Input />
      </Field>
      <Field name="insured" label="已投保" valuePropName="checked">
        <Switch />
      </Field>
      <InsuredUntil />
      <PicturesField name="pictureIds" label="图片" max={6} />
      <Field name="remark" label="备注" wide>
        <Input.TextArea rows={2} />
      </Field>
    </>
  )
}

/** The end of the insurance is asked for only when there is one. */
function InsuredUntil() {
  const insured = Form.useWatch<boolean | undefined>('insured')
  if (insured !== true) return <span />
  return (
    <Field name="insuredUntil" label="保险到期日" choose>
      <DayPicker />
    </Field>
  )
}
