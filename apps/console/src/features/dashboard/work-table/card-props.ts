import type { workTable } from '@wattdeck/contract/dashboard/work-table.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { Shortcut } from './shortcuts.ts'

export type TableQuery = QueryOf<typeof workTable.trend>
export type CardProps = { title: string; query: TableQuery; shortcuts: readonly Shortcut[] }

type Owner = Omit<TableQuery, 'span'>
/** What stands there now has no day and no month. */
export const ownerOf = ({ organiseId, agentId, siteId }: TableQuery): Owner => ({ organiseId, agentId, siteId })

/** The owner as the rest of an address, so that a list shows what was counted. */
export const ownerText = ({ organiseId, agentId, siteId }: Owner) =>
  Object.entries({ organiseId, agentId, siteId })
    .flatMap(([name, id]) => (id === undefined ? [] : [`&${name}=${id}`]))
    .join('')
