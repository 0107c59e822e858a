import { useLayoutEffect, useState } from 'react'

/** The menu is unmounted when its dialog closes, but the button that opened the menu has the same label. */
function openerOf(active: Element | null): HTMLElement | undefined {
  const label = active?.closest('[role=menu]')?.getAttribute('aria-label')
  if (!label) return active instanceof HTMLElement ? active : undefined
  return document.querySelector<HTMLElement>(`[aria-haspopup=menu][aria-label="${CSS.escape(label)}"]`) ?? undefined
}

/** Returns the focus to the opener when a dialog or drawer closes, and not to the top of the page. */
export function useReturnFocus(isOpen: boolean) {
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    const opener = openerOf(document.activeElement)
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body) opener?.focus()
      })
    }
  }, [isOpen])
}

/** The open dialog or drawer of a page, with functions that open and close it. The focus returns to the opener. */
export function useOpen<T>() {
  const [open, setOpen] = useState<T>()
  useReturnFocus(open !== undefined)
  return [open, setOpen as (next: T) => void, () => setOpen(undefined)] as const
}
