import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import {
  attributeAccess,
  attributeType,
  type PlatformAttribute,
  platformAttribute,
} from '@wattdeck/contract/product/platform-attribute.ts'
import { optionsOf, optionText } from '@wattdeck/domain/attribute-value.ts'
import { AutoComplete, Form, Input, InputNumber, Radio, Select } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { FormSection } from '../../../kit/form/FormSection.tsx'
import { choicesOf } from '../_shared/attribute-text.ts'
import { initialOf } from '../_shared/catalogue-actions.ts'
import { TextField, LinesField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'

type Props = {
  of?: PlatformAttribute
  groups: readonly string[]
  refresh: readonly AnyRoute[]
  onClose: () => void
}

export function AttributeDialog({ of, groups, refresh, onClose }: Props) {
  const common = { columns: 2 as const, size: 780 as const, refresh, onClose }
  if (of)
    return (
      <FormDialog
        {...common}
        title={`编辑属性：${of.name}（${of.identifier}）`}
        route={platformAttribute.edit}
        initial={{ ...initialOf(of), options: optionText(of.options) || undefined }}
        also={{ id: of.id }}
      >
        <AttributeFields groups={groups} bound={of.templateCount > 0} />
      </FormDialog>
    )
  return (
    <FormDialog
      {...common}
      title="新增属性"
      route={platformAttribute.add}
      initial={{ dataType: attributeType.code.integer, access: attributeAccess.code.readWrite }}
    >
      <TextField name="identifier" label="标识" help="以小写字母开头，如 overVoltage，保存后不能修改" />
      <AttributeFields groups={groups} bound={false} />
    </FormDialog>
  )
}

const AttributeFields = ({ groups, bound }: { groups: readonly string[]; bound: boolean }) => (
  <>
    <TextField name="name" label="属性名称" />
    <Field name="groupName" label="分组" help="选择已有分组，或输入新的分组">
      <AutoComplete options={groups.map((name) => ({ value: name }))} />
    </Field>
    <Field name="access" label="读写" choose>
      <Radio.Group options={attributeAccess.options} />
    </Field>
    <FormSection title="取值" />
    <ValueFields bound={bound} />
  </>
)

/** The fields of a value type: bounds and a unit, options, or only a default. */
function ValueFields({ bound }: { bound: boolean }) {
  const form = Form.useFormInstance()
  const dataType = Form.useWatch<PlatformAttribute['dataType'] | undefined>('dataType', { form, preserve: true })
  const lines = Form.useWatch<string | undefined>('options', { form, preserve: true })
  const isNumber = dataType === attributeType.code.integer || dataType === attributeType.code.decimal
  const precision = dataType === attributeType.code.integer ? { precision: 0 } : {}
  const choices =
    dataType === undefined
      ? undefined
      : choicesOf({ dataType, minimum: null, maximum: null, options: optionsOf(lines ?? '') ?? [] })
  return (
    <>
      <SelectField
        name="dataType"
        label="数据类型"
        {...(bound ? { help: '已被模板使用，不能更改' } : {})}
        options={attributeType.options}
        disabled={bound}
        onChange={() => form.setFieldValue('defaultValue', undefined)}
      />
      {isNumber && (
        <>
          <TextField name="unit" label="单位" placeholder="V" />
          <Field name="minimum" label="最小值">
            <InputNumber {...precision} style={{ width: '100%' }} />
          </Field>
          <Field name="maximum" label="最大值">
            <InputNumber {...precision} style={{ width: '100%' }} />
          </Field>
        </>
      )}
      {dataType === attributeType.code.choice && (
        <LinesField
          name="options"
          label="枚举值"
          required
          wide
          help="每行一个，形如 1=开启"
          autoSize={{ minRows: 3, maxRows: 10 }}
          placeholder={'0=关闭\n1=开启'}
        />
      )}
      <Field name="defaultValue" label="默认值" {...(choices ? { choose: true } : {})}>
        {choices ? <Select allowClear options={choices} /> : <Input autoComplete="off" />}
      </Field>
    </>
  )
}
