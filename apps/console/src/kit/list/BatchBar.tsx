import { Button } from 'antd'
import type { ReactNode } from 'react'

type Props = {
  /** What is chosen, in words. */
  text: string
  onClear: () => void
  /** Choosing more: the rest of the page, or all that the filter finds. */
  more?: { label: string; onClick: () => void } | undefined
  children: ReactNode
}

/** In the place of the toolbar while rows are chosen. */
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
