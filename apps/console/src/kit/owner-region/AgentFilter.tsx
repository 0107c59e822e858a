import { Form } from 'antd'
import { useUser } from '../api/user.ts'
import type { FilterPart } from '../list/filters.ts'
import { maySelect, type OwnerIds } from './owner.ts'
import { OwnerSelect } from './OwnerSelect.tsx'
import { useOwner } from './use-owner.ts'

/** Selects an agent of the organisation in the owner filter; the agents of all organisations are too many for one list. */
export function AgentFilter({ label, id, value, onChange }: FilterPart) {
  const chosen = typeof value === 'string' ? value : undefined
  const user = useUser()
  const owner = Form.useWatch<OwnerIds | undefined>('owner')
  // A link may contain an agent without its organisation.
  const agent = useOwner('agent', chosen)
  const own = maySelect(user, 'organise') ? undefined : user?.organiseId
  const organiseId = owner?.organiseId ?? agent?.organiseId ?? own
  if (organiseId === undefined) return null
  return (
    <OwnerSelect
      level="agent"
      className="filter-select"
      popupWidth={280}
      aria-label={label}
      placeholder={label}
      within={{ organiseId }}
      value={chosen}
      {...(id === undefined ? {} : { id })}
      {...(onChange === undefined ? {} : { onChange })}
    />
  )
}
