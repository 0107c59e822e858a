import { Form } from 'antd'
import type { ReactNode } from 'react'
import { Field } from '../form/Field.tsx'
import { type OwnerIds, type OwnerLevel, maySelect, ownerField, ownerLevels, ownerWords } from './owner.ts'
import { OwnerSelect } from './OwnerSelect.tsx'
import { useUser } from '../api/user.ts'

type Props = {
  /** Fields whose choices depend on this one, besides the owners below it. */
  clears?: readonly string[]
  required?: boolean
  wide?: boolean
  help?: ReactNode
}

/** Where something new belongs; shown only to those who have a choice. It starts at one's own organisation. */
export const OrganiseField = (props: Props) => <OwnerFormField level="organise" required {...props} />
/** Left empty, it belongs to no agent. */
export const AgentField = (props: Props) => <OwnerFormField level="agent" {...props} />
/** Left empty, it belongs to no site. */
export const SiteField = (props: Props) => <OwnerFormField level="site" {...props} />

function OwnerFormField({ level, clears, ...field }: Props & { level: OwnerLevel }) {
  const user = useUser()
  const form = Form.useFormInstance()
  // Preserved: a form may hold the organisation without a field for it.
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
    <Field name={ownerField(level)} label={ownerWords[level]} choose {...field}>
      <OwnerSelect
        level={level}
        within={chosen}
        placeholder={field.required ? '请选择' : '无'}
        onChange={() => form.setFieldsValue(cleared)}
      />
    </Field>
  )
}
