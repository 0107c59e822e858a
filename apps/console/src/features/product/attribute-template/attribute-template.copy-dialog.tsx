import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { type AttributeTemplate, attributeTemplate } from '@wattdeck/contract/product/attribute-template.ts'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { initialOf } from '../_shared/catalogue-actions.ts'
import { TextField, LinesField } from '../../../kit/form/fields/TextField.tsx'

type Props = { row: AttributeTemplate; refresh: readonly AnyRoute[]; onClose: () => void }

export const CopyDialog = ({ row, refresh, onClose }: Props) => (
  <FormDialog
    title={`复制模板：${row.name}`}
    okText="复制"
    route={attributeTemplate.copy}
    initial={initialOf({ name: `${row.name} 副本`.slice(0, 40), version: row.version, remark: row.remark })}
    also={{ id: row.id }}
    refresh={refresh}
    onClose={onClose}
  >
    <TextField name="name" label="模板名称" />
    <TextField name="version" label="版本" placeholder="V1.0" />
    <LinesField name="remark" label="备注" autoSize={{ minRows: 2, maxRows: 6 }} />
  </FormDialog>
)
