import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type AttributeTemplate, attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { initialOf } from '../_shared/catalogue-actions.ts'

type Props = { row: AttributeTemplate; refresh: readonly AnyRoute[]; onClose: () => void }

export const CopyDialog = ({ row, refresh, onClose }: Props) => (
  <FormDialog
    title={`复制模板：${row.name}`}
    okText="复制"
    route={attributeTemplate.copy}
    initial={initialOf({ name: `${row.name} 副本`.slice(0, 40), version: row.version, remark: row.remark })}
    toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof attributeTemplate.copy>}
    refresh={refresh}
    onClose={onClose}
  >
    <Field name="name" label="模板名称">
      <Input autoComplete="off" />
    </Field>
    <Field name="version" label="版本">
      <Input autoComplete="off" placeholder="V1.0" />
    </Field>
    <Field name="remark" label="备注">
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
    </Field>
  </FormDialog>
)
