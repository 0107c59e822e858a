import { useSyncExternalStore } from 'react'

/** Whether the page is printing. A real print fires the events; a print preview matches the media query. */
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
/** The start of the current print, or undefined. */
export const usePrinting = () => useSyncExternalStore(subscribe, printingSince)
