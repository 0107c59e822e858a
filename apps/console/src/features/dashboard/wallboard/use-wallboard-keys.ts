import { useEffect, useEffectEvent } from 'react'

type Keys = { onFullScreen: () => void; onPause: () => void; onUp: () => void }

const typedInto = 'input, textarea, select, [contenteditable], [role=combobox], [role=dialog], [role=menu]'

/** F for the full screen, Space for a pause, Escape for one level up. Letters in a field belong to the field. */
export function useWallboardKeys({ onFullScreen, onPause, onUp }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest(typedInto)) return
    const isOpen = document.querySelector('[role=dialog]')?.checkVisibility() === true
    if (isOpen) return
    if (event.key.toLowerCase() === 'f') onFullScreen()
    // A button in focus is pressed by Space, as everywhere.
    else if (event.key === ' ' && target?.closest('button, a') === null) onPause()
    else if (event.key === 'Escape') onUp()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    globalThis.addEventListener('keydown', listen)
    return () => globalThis.removeEventListener('keydown', listen)
  }, [])
}

export async function toggleFullScreen(): Promise<void> {
  // A browser may refuse it: then the wallboard stays as large as its window.
  if (document.fullscreenElement) await document.exitFullscreen().catch(() => undefined)
  else await document.documentElement.requestFullscreen().catch(() => undefined)
}
