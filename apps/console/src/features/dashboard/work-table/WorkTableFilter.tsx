import { statSpan } from '@wattdeck/contract/order/statistics.ts'
import { Segmented } from 'antd'
import { lazyPart } from '../../../kit/routing/lazy-part.tsx'
import '../../../kit/list/list.css'
import { maySelect, ownerLevels } from '../../../kit/owner-region/owner.ts'
import { useUser } from '../../../kit/api/user.ts'
import type { TableQuery } from './card-props.ts'

// Loaded on demand, because some users have no owners to choose from.
const OwnerFilter = lazyPart(async () => (await import('../../../kit/owner-region/OwnerFilter.tsx')).default)

/** hasPeriod: a displayed card depends on day or month. */
type Props = { hasPeriod: boolean; query: TableQuery; onChange: (changes: Partial<TableQuery>) => void }

/** The period and the owner, both in the URL. */
export function WorkTableFilter({ hasPeriod, query: { span = statSpan.code.day, ...owner }, onChange }: Props) {
  const user = useUser()
  const value = {
    organiseId: owner.organiseId ?? null,
    agentId: owner.agentId ?? null,
    siteId: owner.siteId ?? null,
  }
  return (
    <search className="work-table-filter">
      {hasPeriod && (
        <Segmented
          aria-label="统计周期"
          value={span}
          options={[
            { value: statSpan.code.day, label: '日' },
            { value: statSpan.code.month, label: '月' },
          ]}
          onChange={(next) => onChange({ span: next === statSpan.code.day ? undefined : next })}
        />
      )}
      {ownerLevels.some((level) => maySelect(user, level)) && (
        <OwnerFilter levels={ownerLevels} value={value} onChange={onChange} />
      )}
    </search>
  )
}
