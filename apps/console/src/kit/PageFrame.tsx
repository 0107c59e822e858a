import type { ReactNode } from 'react'
import { useTrail } from './trail.ts'

/** Breadcrumb, title, actions (at most one of them primary), content. */
export function PageFrame({
  title,
  note,
  actions,
  children,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const trail = useTrail()
  return (
    <div className="page-frame">
      <header className="page-head">
        <div>
          {trail.length > 1 && (
            <nav aria-label="位置">
              <ol className="trail">
                {trail.map((name, place) => (
                  <li key={name + String(place)}>{name}</li>
                ))}
              </ol>
            </nav>
          )}
          <h1>{title}</h1>
          {note && <p className="page-note">{note}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
