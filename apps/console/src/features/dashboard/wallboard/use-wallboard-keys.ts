import { useEffect, useEffectEvent } from 'react'

type Keys = { onFullScreen: () => void; onPause: () => void; onUp: () => void }

const typedInto = 'input, textarea, select, [contenteditable], [role=combobox], [role=dialog], [role=menu]'

/** F for full screen, Space to pause, Escape for one level up. Keys typed into a field are ignored. */
export function useWallboardKeys({ onFullScreen, onPause, onUp }: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : undefined
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest(typedInto)) return
    const isOpen = document.querySelector('[role=dialog]')?.checkVisibility() === true
    if (isOpen) return
    if (event.key.toLowerCase() === 'f') onFullScreen()
    // Space activates a focused button.
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
  // The browser may refuse full screen; the wallboard then keeps the size of its window.
  if (document.fullscreenElement) await document.exitFullscreen().catch(() => undefined)
  else await document.documentElement.requestFullscreen().catch(() => undefined)
}
