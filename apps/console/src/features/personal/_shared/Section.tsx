import type { ReactNode } from 'react'

/** A card of the personal centre; without a title when the page has only one. */
export function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="panel section" aria-label={title}>
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}
