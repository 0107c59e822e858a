import { useSyncExternalStore } from 'react'

/** Whether the page is being printed. The events come with a real printer, the media query with a preview of it. */
const media = globalThis.matchMedia('print')
const listeners = new Set<() => void>()
let since = media.matches ? new Date() : undefined

function change(printing: boolean) {
  if (printing === (since !== undefined)) return
  since = printing ? new Date() : undefined
  for (const listener of listeners) listener()
}
globalThis.addEventListener('beforeprint', () => change(true))
globalThis.addEventListener('afterprint', () => change(false))
media.addEventListener('change', ({ matches }) => change(matches))

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}
const printingSince = () => since
/** When the printing began that goes on now. */
export const usePrinting = () => useSyncExternalStore(subscribe, printingSince)
