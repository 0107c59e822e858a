import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { type DeviceType, deviceType } from '@wattdeck/contract/product/device-type.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

type Props = { of: DeviceType; refresh: readonly AnyRoute[]; onClose: () => void }

export function TemplateDialog({ of, refresh, onClose }: Props) {
  return (
    <FormDialog
      title={`关联属性模板：${of.name}`}
      route={deviceType.bindTemplate}
      initial={{ attributeTemplateId: of.attributeTemplateId ?? undefined }}
      also={{ id: of.id }}
      refresh={refresh}
      onClose={onClose}
    >
      <TemplateField of={of} />
    </FormDialog>
  )
}

/** Enabled templates, and the current one even when it is no longer offered. */
export function TemplateField({ of }: { of?: DeviceType }) {
  const { data = [], isFetching } = useDetail(attributeTemplate.options)
  const options = data.map(({ id, name, version }) => ({ value: id, label: `${name}（${version}）` }))
  const { attributeTemplateId: old, attributeTemplateName: oldName } = of ?? {}
  if (!isFetching && old && oldName && !options.some((option) => option.value === old))
    options.push({ value: old, label: `${oldName}（已停用）` })
  return (
    <SelectField
      name="attributeTemplateId"
      label="属性模板"
      help="该类型设备可设置的属性及其默认值，留空则不关联"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={isFetching}
      options={options}
    />
  )
}
