import { type MenuName, menus } from '@wattdeck/contract/menu-keys.ts'
import type { ComponentType } from 'react'

/** One screen of spec §2. Plain data, so that a tool can count screens without drawing any. */
export type Screen = {
  name: string
  path: string
  title: string
  centre: string
  /** Shown only to those whose menu tree holds this key. */
  menuKey?: string
  /** The path of the list it is opened from, where it has no menu of its own: the menu and the breadcrumb show that. */
  under?: string
  /** The part of the address that says which object it shows; each of them has a tab of its own. */
  object?: string
  /** Reachable in arrears too. */
  alwaysVisible?: boolean
  /** Needs no shell around it. */
  bare?: boolean
  lazy: () => Promise<{ default: ComponentType }>
}

type Place = { pathname: string; search: string }

/** What an open page is known by: its path, and the object where the screen shows one of many. */
export function tabKey(screen: Pick<Screen, 'object'> | undefined, { pathname, search }: Place): string {
  const id = screen?.object === undefined ? null : new URLSearchParams(search).get(screen.object)
  return id === null ? pathname : `${pathname}?${screen?.object}=${id}`
}

/** The screen that a menu opens. */
export function menuScreen(name: MenuName, lazy: Screen['lazy']): Screen {
  const menu = menus[name]
  const path = 'route' in menu ? menu.route : ''
  const [, centre = '', screen] = path.split('/')
  return {
    name,
    path,
    title: menu.title,
    centre: screen === undefined ? 'public' : centre,
    menuKey: menu.key,
    ...('alwaysVisible' in menu ? { alwaysVisible: true } : {}),
    lazy,
  }
}
