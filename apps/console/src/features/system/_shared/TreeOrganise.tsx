import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { useUser } from '../../../kit/api/user.ts'
import './system.css'

const OwnerSelect = lazyPart(async () => (await import('../../../kit/owner-region/OwnerSelect.tsx')).OwnerSelect)

type Props = { value: string | undefined; onChange: (organiseId: string | undefined) => void }

/** The organisation of a tree, for users who see several. */
export function TreeOrganise({ value, onChange }: Props) {
  const user = useUser()
  if (!maySelect(user, 'organise')) return null
  return (
    <OwnerSelect
      level="organise"
      className="organise-select"
      placeholder="全部机构"
      value={value}
      onChange={onChange}
    />
  )
}
