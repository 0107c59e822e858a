/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no element for a menu of commands */
import { Button, type ButtonProps, Popover } from 'antd'
import { type KeyboardEvent, type ReactNode, useState } from 'react'

export type MenuEntry = {
  label: string
  onClick: () => void
  icon?: ReactNode
  danger?: boolean
  /** Why the entry is disabled. */
  disabled?: string | undefined
  /** For an entry of a radio group. */
  checked?: boolean
}

type Props = Omit<ButtonProps, 'onClick'> & { entries: readonly MenuEntry[]; 'aria-label': string }

/** A button with a menu. Smaller than antd's Dropdown, which includes a whole navigation menu. */
export function MenuButton({ entries, ...button }: Props) {
  const [open, setOpen] = useState(false)
  const list = (
    <section aria-label={button['aria-label']}>
      <div className="menu-list" role="menu" aria-label={button['aria-label']}>
        {entries.map((entry) => (
          <button
            key={entry.label}
            type="button"
            role={entry.checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={entry.checked}
            aria-disabled={entry.disabled !== undefined}
            data-danger={entry.danger}
            onKeyDown={moveFocus}
            onClick={() => {
              if (entry.disabled !== undefined) return
              setOpen(false)
              entry.onClick()
            }}
          >
            {entry.icon}
            <span>
              {entry.label}
              {entry.disabled !== undefined && <small>{entry.disabled}</small>}
            </span>
          </button>
        ))}
      </div>
    </section>
  )
  return (
    <Popover
      content={list}
      trigger="click"
      placement="bottomRight"
      arrow={false}
      open={open}
      onOpenChange={setOpen}
      classNames={{ root: 'menu-popover' }}
      afterOpenChange={(shown) => {
        if (shown)
          document.querySelector<HTMLElement>('.menu-popover:not(.ant-popover-hidden) .menu-list button')?.focus()
      }}
    >
      <Button {...button} aria-haspopup="menu" aria-expanded={open} />
    </Popover>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('button') ?? [])]
  const at = items.indexOf(event.currentTarget)
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  items.at(target % items.length)?.focus()
}
