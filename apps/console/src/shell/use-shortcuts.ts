import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { firstPath, type MenuItem } from './menu/menu-model.ts'
import type { Overlay } from './overlays.ts'
import { isRow, moveRow, openRow, selectRow } from './row-focus.ts'
import { centreLetters, type Shortcut, shortcutOf } from './shortcut-model.ts'

const offKey = 'single-keys-off'
const goWithinMs = 1500
export const singleKeysOn = () => localStorage.getItem(offKey) !== 'true'
export const setSingleKeys = (on: boolean) => localStorage.setItem(offKey, String(!on))

const typedInto =
  'input:not([type=checkbox], [type=radio]), textarea, select, [role=combobox], [role=menu], [role=dialog]'
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(typedInto) !== null)

/** An open dialog disables the shortcuts of the page below, wherever the focus is. */
const isCovered = () =>
  [...document.querySelectorAll('[role=dialog]')].some((dialog) => dialog.checkVisibility({ visibilityProperty: true }))

/** The first element of the page that handles the shortcut. */
const within = (selector: string) => document.querySelector<HTMLElement>(`#content ${selector}`)

export function useShortcuts({ menu, onOpen }: { menu: readonly MenuItem[]; onOpen: (overlay: Overlay) => void }) {
  const navigate = useNavigate()
  const goUntil = useRef(0)

  const act: Record<Shortcut, () => void> = {
    palette: () => onOpen('palette'),
    help: () => onOpen('shortcuts'),
    filter: () => within('.filter-bar input, [data-shortcut="/"] input')?.focus(),
    refresh: () => within('[data-shortcut=r]')?.click(),
    new: () => within('.page-actions .ant-btn-primary')?.click(),
    down: () => moveRow(1),
    up: () => moveRow(-1),
    select: selectRow,
    open: openRow,
    go: () => {
      goUntil.current = Date.now() + goWithinMs
    },
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const typing = isTyping(event.target) || isCovered()
    const shortcut = shortcutOf(event, { typing, onRow: isRow(event.target), singleKeys: singleKeysOn() })
    const centre =
      Date.now() < goUntil.current && !typing ? centreLetters(menu).get(event.key.toLowerCase()) : undefined
    goUntil.current = 0
    if (centre) {
      event.preventDefault()
      void navigate(firstPath(centre) ?? '/')
    } else if (shortcut) {
      event.preventDefault()
      act[shortcut]()
    }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    globalThis.addEventListener('keydown', listen)
    return () => globalThis.removeEventListener('keydown', listen)
  }, [])
}
