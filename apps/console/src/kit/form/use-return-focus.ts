import { useLayoutEffect, useState } from 'react'

/** A menu is gone by the time its dialog closes; the button that opened the menu carries the same label. */
function openerOf(active: Element | null): HTMLElement | undefined {
  const label = active?.closest('[role=menu]')?.getAttribute('aria-label')
  if (!label) return active instanceof HTMLElement ? active : undefined
  return document.querySelector<HTMLElement>(`[aria-haspopup=menu][aria-label="${CSS.escape(label)}"]`) ?? undefined
}

/** After a dialog or drawer of a page the focus goes back to what opened it, not to the top of the page. */
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

/** The dialog or drawer that a page has open, with the functions that open and close it. The focus returns to the opener. */
export function useOpen<T>() {
  const [open, setOpen] = useState<T>()
  useReturnFocus(open !== undefined)
  return [open, setOpen as (next: T) => void, () => setOpen(undefined)] as const
}
