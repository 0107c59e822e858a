import type { AnyRoute, BodyOf } from '@wattdeck/contract/kit/route.ts'
import { type AttributeTemplate, attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { Input } from 'antd'
import { Field } from '../../../kit/form/Field.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { initialOf } from '../_shared/catalogue-actions.ts'

export type TemplateDraft = { what: 'new' } | { what: 'edit' | 'copy'; row: AttributeTemplate }
type Props = { draft: TemplateDraft; refresh: readonly AnyRoute[]; onClose: () => void }

export function TemplateDialog({ draft, refresh, onClose }: Props) {
  const common = { refresh, onClose, children: <TemplateFields /> }
  if (draft.what === 'new') return <FormDialog {...common} title="新增模板" route={attributeTemplate.add} />
  const { row } = draft
  if (draft.what === 'edit')
    return (
      <FormDialog
        {...common}
        title={`编辑模板：${row.name}`}
        route={attributeTemplate.edit}
        initial={initialOf(row)}
        toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof attributeTemplate.edit>}
      />
    )
  return (
    <FormDialog
      {...common}
      title={`复制模板：${row.name}`}
      okText="复制"
      route={attributeTemplate.copy}
      initial={initialOf({ name: `${row.name} 副本`.slice(0, 40), version: row.version, remark: row.remark })}
      toBody={(values) => ({ ...values, id: row.id }) as BodyOf<typeof attributeTemplate.copy>}
    />
  )
}

const TemplateFields = () => (
  <>
    <Field name="name" label="模板名称">
      <Input autoComplete="off" />
    </Field>
    <Field name="version" label="版本">
      <Input autoComplete="off" placeholder="V1.0" />
    </Field>
    <Field name="remark" label="备注">
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
    </Field>
  </>
)
