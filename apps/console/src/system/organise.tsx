import { staff } from '@wattdeck/contract/system/staff.ts'
import { canSelectOrganise } from '@wattdeck/domain/roles.ts'
import { Select } from 'antd'
import type { Column } from '../kit/columns.ts'
import * as cells from '../kit/cells.tsx'
import type { Filter } from '../kit/filters.ts'
import { useDetail } from '../kit/queries.ts'
import { useUser } from '../kit/user.ts'
import './system.css'

/** The organisations to choose from; none for those who have only their own. */
export function useOrganiseOptions() {
  const user = useUser()
  const maySelect = user !== undefined && canSelectOrganise(user)
  const { data = [] } = useDetail(staff.organiseOptions, { enabled: maySelect })
  return { maySelect, own: user?.organiseId, options: data.map(({ id, name }) => ({ value: id, label: name })) }
}

/** The organisation as a filter of a list. */
export function useOrganiseFilter(): Filter<{ organiseId?: string }>[] {
  const { maySelect, options } = useOrganiseOptions()
  return maySelect ? [{ kind: 'select', name: 'organiseId', label: '所属机构', options }] : []
}

/** Rows of several organisations can have the same name; in one's own organisation the column says nothing. */
export const ownerColumn = (shown: boolean): Column<{ organiseName: string | null }> => ({
  key: 'organiseName',
  title: '所属机构',
  width: 150,
  hidden: !shown,
  render: (row) => cells.text(row.organiseName),
})

type SelectProps = { value: string | undefined; onChange: (organiseId: string | undefined) => void }

/** Above a tree that belongs to one organisation. */
export function OrganiseSelect({ value, onChange }: SelectProps) {
  const { maySelect, options } = useOrganiseOptions()
  if (!maySelect) return null
  return (
    <Select
      className="organise-select"
      aria-label="所属机构"
      placeholder="全部机构"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      options={options}
      value={value ?? null}
      onChange={(chosen: string | null | undefined) => onChange(chosen ?? undefined)}
    />
  )
}
