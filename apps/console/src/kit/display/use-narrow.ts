import { useSyncExternalStore } from 'react'

const media = () => globalThis.matchMedia('(max-width: 767.98px)')

function subscribe(changed: () => void) {
  const list = media()
  list.addEventListener('change', changed)
  return () => list.removeEventListener('change', changed)
}

/** Whether the window is as narrow as a phone: lists become cards, the menu a drawer. */
export const useNarrow = () => useSyncExternalStore(subscribe, () => media().matches)
