import type { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Shortcut } from './shortcuts.ts'

export type TableQuery = QueryOf<typeof workTable.trend>
export type CardProps = { title: string; query: TableQuery; shortcuts: readonly Shortcut[] }

type Owner = Omit<TableQuery, 'span'>
/** Figures of the current state have no period. */
export const ownerOf = ({ organiseId, agentId, siteId }: TableQuery): Owner => ({ organiseId, agentId, siteId })

/** The owner as URL parameters, so a list shows the counted rows. */
export const ownerText = ({ organiseId, agentId, siteId }: Owner) =>
  Object.entries({ organiseId, agentId, siteId })
    .flatMap(([name, id]) => (id === undefined ? [] : [`&${name}=${id}`]))
    .join('')
