import { useSyncExternalStore } from 'react'
import { type Appearance, brandVariables, type Look, readAppearance, type ThemeChoice } from './brand.ts'

/** Spec §9: theme and colour are kept in local storage. */
const themeKey = 'theme'
const colourKey = 'color'
const listeners = new Set<() => void>()
const darkMedia = globalThis.matchMedia('(prefers-color-scheme: dark)')

let current = readAppearance(localStorage.getItem(themeKey), localStorage.getItem(colourKey))

const lookOf = (theme: ThemeChoice): Look => {
  if (theme !== 'system') return theme
  return darkMedia.matches ? 'dark' : 'light'
}

function paint() {
  const look = lookOf(current.theme)
  const root = document.documentElement
  root.dataset['theme'] = look
  root.style.colorScheme = look
  for (const [name, value] of Object.entries(brandVariables(look, current.color))) root.style.setProperty(name, value)
  for (const listener of listeners) listener()
}

export function setAppearance(next: Appearance) {
  if (next.theme === current.theme && next.color === current.color) return
  current = next
  localStorage.setItem(themeKey, next.theme)
  localStorage.setItem(colourKey, next.color)
  paint()
}

function subscribe(changed: () => void) {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}

const currentAppearance = () => current
export const useAppearance = () => useSyncExternalStore(subscribe, currentAppearance)
export const useLook = (): Look => useSyncExternalStore(subscribe, () => lookOf(current.theme))

darkMedia.addEventListener('change', paint)
paint()
