import { QuestionCircleOutlined } from '@ant-design/icons'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useScreen } from '../routing/current-screen.ts'
import { lazyPart } from '../routing/lazy-part.tsx'
import { helpPath } from '../routing/paths.ts'
import { useBreadcrumb } from '../routing/breadcrumb.ts'

const HelpDrawer = lazyPart(async () => (await import('../help/HelpDrawer.tsx')).HelpDrawer)

/** A header with breadcrumb, title, help button, note and actions (at most one of them primary); the content below. */
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
  const trail = useBreadcrumb()
  // A group and its first screen may share a name.
  const above = [...new Set(trail)].filter((name) => name !== title)
  return (
    <div className="page-frame">
      <header className="page-head">
        {above.length > 0 && (
          <nav aria-label="位置">
            <ol className="trail">
              {above.map((name, place) => (
                <li key={name + String(place)}>{name}</li>
              ))}
            </ol>
          </nav>
        )}
        <div className="page-title">
          <h1>{title}</h1>
          <HelpButton />
        </div>
        {note && <p className="page-note">{note}</p>}
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** Takes the screen from the route. The help centre itself has no help button. */
function HelpButton() {
  const screen = useScreen()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return undefined
    const opener = button.current
    // After the drawer has closed and released the focus.
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus()
      })
    }
  }, [open])
  if (!screen || screen.path === helpPath) return null
  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label="帮助"
        title="帮助"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <QuestionCircleOutlined />
      </button>
      {open && <HelpDrawer screen={screen} onClose={() => setOpen(false)} />}
    </>
  )
}
