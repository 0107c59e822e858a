import { pinyinInitials } from '../kit/display/pinyin.ts'
import type { MenuItem } from './menu/menu-model.ts'

export type Shortcut = 'palette' | 'help' | 'filter' | 'refresh' | 'new' | 'go' | 'down' | 'up' | 'select' | 'open'
type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }
type Where = {
  /** Letters belong to a field, a menu or a dialog. */
  typing: boolean
  /** The focus is on a row of a list. */
  onRow: boolean
  singleKeys: boolean
}

/** The shortcut of a key press. Single keys are ignored while typing and when they are switched off (WCAG 2.1.4). */
export function shortcutOf(press: Press, { typing, onRow, singleKeys }: Where): Shortcut | undefined {
  const key = press.key.toLowerCase()
  if ((press.ctrlKey || press.metaKey) && !press.altKey) return key === 'k' ? 'palette' : undefined
  if (press.altKey || typing || !singleKeys) return undefined
  if (key === 'enter') return onRow ? 'open' : undefined
  return singleKey[key]
}

const singleKey: Readonly<Record<string, Shortcut>> = {
  '?': 'help',
  '/': 'filter',
  r: 'refresh',
  n: 'new',
  g: 'go',
  j: 'down',
  k: 'up',
  x: 'select',
}

/** G and then this letter opens the centre: the first free letter of its pinyin. */
export function centreLetters(menu: readonly MenuItem[]): Map<string, MenuItem> {
  const letters = new Map<string, MenuItem>()
  for (const centre of menu) {
    const free = Array.from(pinyinInitials(centre.title)).find((letter) => /[a-z]/.test(letter) && !letters.has(letter))
    if (free) letters.set(free, centre)
  }
  return letters
}
