import { Button } from 'antd'
import type { ReactNode } from 'react'

type Props = {
  /** Describes the selection. */
  text: string
  onClear: () => void
  /** Extends the selection to the page, or to all rows of the filter. */
  more?: { label: string; onClick: () => void } | undefined
  children: ReactNode
}

/** Replaces the toolbar while rows are selected. */
export function BatchBar({ text, onClear, more, children }: Props) {
  return (
    <section className="batch-bar" aria-label="批量操作">
      <strong aria-live="polite">{text}</strong>
      {children}
      <Button type="link" size="small" onClick={onClear}>
        取消选择
      </Button>
      {more && (
        <Button type="link" size="small" onClick={more.onClick}>
          {more.label}
        </Button>
      )}
    </section>
  )
}
