import type { Standing } from '@wattdeck/domain/roles.ts'
import type { ReactNode } from 'react'
import * as cells from '../display/cells.tsx'
import type { Column } from '../list/columns.ts'
import { ObjectLink } from '../objects/ObjectLink.tsx'
import { maySelect, type OwnerLevel, ownerLevels, ownerLabels } from './owner.ts'

const nameOf = <L extends OwnerLevel>(level: L) => `${level}Name` as const

type OwnedRow = { organiseId?: string | null; siteId?: string | null; siteName?: string | null }
/** An agent has no page of its own to link to. */
function named(level: OwnerLevel, { organiseId, siteId, siteName }: OwnedRow, text: ReactNode) {
  const isSite = level === 'site' && typeof siteName === 'string'
  if (level !== 'organise' && !isSite) return text
  return (
    <ObjectLink kind={isSite ? 'site' : 'organise'} id={isSite ? siteId : organiseId}>
      {text}
    </ObjectLink>
  )
}

/** Keys of owner columns with the same value in every row that this user sees. */
export const alikeOwners = (user: Standing | undefined): string[] =>
  ownerLevels.filter((level) => !maySelect(user, level)).map((level) => nameOf(level))

/** 所属机构、所属代理商、所属站点. A column with the same value in every row is hidden until the user selects it. */
export const ownerColumns = <L extends OwnerLevel = OwnerLevel>(
  user: Standing | undefined,
  levels: readonly L[] = ownerLevels as readonly L[],
): Column<Record<`${L}Name`, string | null>>[] =>
  levels.map((level) => ({
    key: nameOf(level),
    title: ownerLabels[level],
    width: 150,
    soft: true,
    hidden: !maySelect(user, level),
    render: (row) => named(level, row as OwnedRow, cells.text(row[nameOf(level)])),
  }))
