import type { ReactNode } from 'react'
import { ObjectLink } from './ObjectLink.tsx'

type Owned = {
  organiseId?: string | null
  organiseName: string | null
  agentName: string | null
  siteId?: string | null
  siteName: string | null
}

/** The owner of a record, from the organisation down to the site. */
export function OwnerPath({ row }: { row: Owned }) {
  const names: { level: string; shown: ReactNode }[] = [
    ...(row.organiseName === null
      ? []
      : [
          {
            level: 'organise',
            shown: (
              <ObjectLink kind="organise" id={row.organiseId}>
                {row.organiseName}
              </ObjectLink>
            ),
          },
        ]),
    ...(row.agentName === null ? [] : [{ level: 'agent', shown: row.agentName }]),
    ...(row.siteName === null
      ? []
      : [
          {
            level: 'site',
            shown: (
              <ObjectLink kind="site" id={row.siteId}>
                {row.siteName}
              </ObjectLink>
            ),
          },
        ]),
  ]
  return (
    <span>
      {names.map(({ level, shown }, at) => (
        <span key={level}>
          {at > 0 && ' / '}
          {shown}
        </span>
      ))}
    </span>
  )
}
