import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { priceType, type Site, site, siteList, siteType } from '@wattdeck/contract/system/site.ts'
import { Form, Input, Switch } from 'antd'
import { FieldInputs, rowValues } from '../../../kit/crud/FieldInputs.tsx'
import { DayPicker } from '../../../kit/form/DayPicker.tsx'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { LocationField } from '../../../kit/owner-region/LocationField.tsx'
import { AgentField, OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { PicturesField } from '../../../kit/media/PicturesField.tsx'
import { RegionField } from '../../../kit/owner-region/RegionField.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { siteRoutes } from './site.actions.ts'

type Props = { row?: Site | undefined; onClose: () => void }

export function SiteDialog({ row, onClose }: Props) {
  const own = useUser()?.organiseId
  const common = { size: 900 as const, columns: 2 as const, refresh: siteRoutes, onClose }
  if (row)
    return (
      <FormDialog
        {...common}
        title={`编辑站点：${row.name}`}
        route={site.edit}
        initial={rowValues(row, ['phone'])}
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

const changes = {
  code: { help: '留空则自动编号' },
  openHours: { input: <Input placeholder="06:00-23:00" /> },
}

function SiteFields({ of }: { of?: Site }) {
  const common = { fields: siteList.fields, row: of, changes }
  return (
    <>
      <FieldInputs {...common} names={['name', 'code', 'type', 'priceType']} />
      <RegionField />
      <FieldInputs {...common} names={['address']} />
      <LocationField />
      <FieldInputs {...common} names={['openHours', 'contact', 'phone', 'parkingSpaces', 'capacityKva']} />
      <Field name="parkingNote" label="停车费说明" wide>
        <Input />
      </Field>
      <Field name="insured" label="已投保" valuePropName="checked">
        <Switch />
      </Field>
      <InsuredUntil />
      <PicturesField name="pictureIds" label="图片" max={6} />
      <FieldInputs {...common} names={['remark']} />
    </>
  )
}

/** The expiry of the insurance is required only for an insured site. */
function InsuredUntil() {
  const insured = Form.useWatch<boolean | undefined>('insured')
  if (insured !== true) return <span />
  return (
    <Field name="insuredUntil" label="保险到期日" choose>
      <DayPicker />
    </Field>
  )
}
