import { Form } from 'antd'
import type { ReactNode } from 'react'
import { Field } from '../form/Field.tsx'
import { type OwnerIds, type OwnerLevel, maySelect, ownerField, ownerLevels, ownerLabels } from './owner.ts'
import { OwnerSelect } from './OwnerSelect.tsx'
import { useUser } from '../api/user.ts'

type Props = {
  /** Fields whose choices depend on this one, besides the owners below it. */
  clears?: readonly string[]
  required?: boolean
  wide?: boolean
  help?: ReactNode
}

/** The owner of a new record; hidden from users without a choice. */
export const OrganiseField = (props: Props) => <OwnerFormField level="organise" required {...props} />
/** Empty: the record belongs to no agent. */
export const AgentField = (props: Props) => <OwnerFormField level="agent" {...props} />
/** Empty: the record belongs to no site. */
export const SiteField = (props: Props) => <OwnerFormField level="site" {...props} />

function OwnerFormField({ level, clears, ...field }: Props & { level: OwnerLevel }) {
  const user = useUser()
  const form = Form.useFormInstance()
  // Preserved, because a form may contain the organisation without a field for it.
  const watch = { form, preserve: true }
  const own = maySelect(user, 'organise') ? undefined : user?.organiseId
  const chosen: OwnerIds = {
    organiseId: Form.useWatch<string | undefined>('organiseId', watch) ?? own,
    agentId: Form.useWatch<string | undefined>('agentId', watch),
  }
  if (!maySelect(user, level)) return null
  const below = ownerLevels.slice(ownerLevels.indexOf(level) + 1).map((lower) => ownerField(lower))
  const cleared = Object.fromEntries([...below, ...(clears ?? [])].map((name) => [name, undefined]))
  return (
    <Field name={ownerField(level)} label={ownerLabels[level]} choose {...field}>
      <OwnerSelect
        level={level}
        within={chosen}
        placeholder={field.required ? '请选择' : '无'}
        onChange={() => form.setFieldsValue(cleared)}
      />
    </Field>
  )
}
