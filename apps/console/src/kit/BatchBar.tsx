import { Button } from 'antd'
import type { ReactNode } from 'react'

/** In the place of the toolbar while rows are chosen. */
export function BatchBar({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) {
  return (
    <section className="batch-bar" aria-label="批量操作">
      <strong aria-live="polite">已选 {count} 条</strong>
      {children}
      <Button type="link" size="small" onClick={onClear}>
        取消选择
      </Button>
    </section>
  )
}
