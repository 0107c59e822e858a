import { type OwnerIds, type OwnerLevel, maySelect, ownerField, withOwner } from './owner.ts'
import { OwnerSelect } from './OwnerSelect.tsx'
import { useOwner } from './use-owner.ts'
import { useUser } from '../api/user.ts'

type Value = { [F in keyof OwnerIds]: OwnerIds[F] | null }
type Props = { levels: readonly OwnerLevel[]; value?: Value; onChange?: (value: OwnerIds) => void }

/** Organisation, agent and site of a list, each with options of the level above it. */
export default function OwnerFilter({ levels, value, onChange }: Props) {
  const user = useUser()
  const now: OwnerIds = {
    organiseId: value?.organiseId ?? undefined,
    agentId: value?.agentId ?? undefined,
    siteId: value?.siteId ?? undefined,
  }
  // A link may contain an agent or a site without its organisation.
  const agent = useOwner('agent', now.agentId)
  const site = useOwner('site', now.siteId)
  const own = maySelect(user, 'organise') ? undefined : user?.organiseId
  const organiseId = now.organiseId ?? agent?.organiseId ?? site?.organiseId ?? own
  const shown = levels.filter((level) => maySelect(user, level) && (level === 'organise' || organiseId !== undefined))
  return shown.map((level) => (
    <OwnerSelect
      key={level}
      className="filter-select"
      popupWidth={280}
      level={level}
      within={{ organiseId, agentId: now.agentId }}
      value={now[ownerField(level)]}
      onChange={(id) => onChange?.(withOwner(now, level, id))}
    />
  ))
}
