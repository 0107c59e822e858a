import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useScreen } from './current-screen.ts'
import { tabKey } from './screen.ts'

type Listener = (key: string, title: string) => void
const listeners = new Set<Listener>()

/** The shell subscribes to the tab titles that pages set. */
export function onTabTitle(listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Sets the tab title of this page to its object, as soon as that is known. */
export function useTabTitle(title: string | undefined): void {
  const location = useLocation()
  const screen = useScreen()
  const key = tabKey(screen, location)
  useEffect(() => {
    if (title === undefined) return
    for (const listener of listeners) listener(key, title)
  }, [key, title])
}
