import { Empty } from 'antd'
import type { ReactNode } from 'react'
import { States } from '../../../kit/display/States.tsx'
import { Tag } from '../../../kit/display/StatusTag.tsx'

type Query<D> = { data: D | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }

/** A card of the work table: it loads, fails and retries independently. */
export function Block<D>({
  title,
  area,
  query,
  extra,
  rows = 3,
  children,
}: {
  title: string
  area: string
  query: Query<D>
  extra?: ReactNode
  /** The number of skeleton rows while loading. */
  rows?: number
  children: (data: D) => ReactNode
}) {
  const stale = query.data !== undefined && Boolean(query.error)
  return (
    <section className="panel block" data-area={area} aria-label={title} aria-busy={query.isFetching}>
      <header className="block-head">
        <h2>{title}</h2>
        {stale && <Tag tone="warn">未更新</Tag>}
        {extra && <div className="block-extra">{extra}</div>}
      </header>
      <States query={query} rows={rows}>
        {children}
      </States>
    </section>
  )
}

export function NothingHere({ children }: { children: string }) {
  return (
    <div className="block-empty">
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={children} />
    </div>
  )
}
