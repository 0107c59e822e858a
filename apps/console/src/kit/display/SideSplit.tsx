/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- a separator that moves is a control, for which HTML has no tag */
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { parseWidth, type SideWidth, sideWidthAfterKey, sideWidths } from './side-width.ts'

const key = 'side-width'

/** A side panel that is resized by pointer or keyboard; antd's Splitter supports only the pointer. */
export function SideSplit({ label, side, children }: { label: string; side: ReactNode; children: ReactNode }) {
  const [{ width, open }, setSide] = useState<SideWidth>(() => ({
    width: parseWidth(localStorage.getItem(key)),
    open: true,
  }))
  const grabbedAt = useRef(0)
  function keep(next: SideWidth) {
    setSide(next)
    localStorage.setItem(key, String(next.width))
  }
  function onKeyDown(event: KeyboardEvent) {
    const next = sideWidthAfterKey({ width, open }, event.key)
    if (!next) return
    event.preventDefault()
    keep(next)
  }
  function onPointerDown(event: PointerEvent<HTMLElement>) {
    grabbedAt.current = event.clientX - (open ? width : 0)
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    keep({ width: parseWidth(String(event.clientX - grabbedAt.current)), open: true })
  }
  return (
    <div className="side-split">
      {open && (
        <div className="panel side-panel" style={{ width }}>
          {side}
        </div>
      )}
      <div
        className="side-bar"
        role="separator"
        tabIndex={0}
        aria-label={`调整${label}宽度，回车收起或展开`}
        aria-orientation="vertical"
        aria-valuemin={sideWidths.least}
        aria-valuemax={sideWidths.most}
        aria-valuenow={open ? width : sideWidths.least}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onDoubleClick={() => keep({ width, open: !open })}
      />
      <div className="side-main">{children}</div>
    </div>
  )
}
