import { staff } from '@wattdeck/contract/system/staff.ts'
import { canSelectOrganise } from '@wattdeck/domain/roles.ts'
import type { Filter } from '../kit/filters.ts'
import { useDetail } from '../kit/queries.ts'
import { useUser } from '../kit/user.ts'

/** The organisations to choose from; none for those who have only their own. */
export function useOrganiseOptions() {
  const user = useUser()
  const maySelect = user !== undefined && canSelectOrganise(user)
  const { data = [] } = useDetail(staff.organiseOptions, { enabled: maySelect })
  return { maySelect, own: user?.organiseId, options: data.map(({ id, name }) => ({ value: id, label: name })) }
}

/** The organisation as a filter of a list, for those who may select one. */
export function useOrganiseFilter(): Filter<{ organiseId?: string }>[] {
  const { maySelect, options } = useOrganiseOptions()
  return maySelect ? [{ kind: 'select', name: 'organiseId', label: '所属机构', options }] : []
}
