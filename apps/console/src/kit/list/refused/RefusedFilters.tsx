import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { Button } from 'antd'
import { fieldLabel, refusalOf } from './filter-problems.ts'
import type { Filter } from '../filters.ts'
import type { RefusedFilter } from '../list-query.ts'

type Props = {
  route: AnyRoute
  filters: readonly Filter<unknown>[]
  refused: readonly RefusedFilter[]
  onClear: (changes: Record<string, undefined>) => void
}

/** Replaces the rows while a filter of the address cannot be applied. */
export function RefusedFilters({ route, filters, refused, onClear }: Props) {
  return (
    <div className="state-pane" role="alert">
      <p>以下筛选条件无法识别，未进行查询</p>
      <ul className="filter-problems">
        {refused.map((filter) => (
          <li key={filter.name}>
            {fieldLabel(filters, filter.name)} “{filter.text.slice(0, 40)}”：{refusalOf(route.query, refused, filter)}
          </li>
        ))}
      </ul>
      <Button onClick={() => onClear(Object.fromEntries(refused.map(({ name }) => [name, undefined])))}>
        移除这些条件
      </Button>
    </div>
  )
}
