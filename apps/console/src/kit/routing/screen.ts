import { type MenuName, menus } from '@wattdeck/contract/menu-keys.ts'
import type { ComponentType } from 'react'

/** One screen of spec §2. Plain data, so that a tool can count screens without rendering any. */
export type Screen = {
  name: string
  path: string
  title: string
  centre: string
  /** Shown only to users whose menu tree contains this key. */
  menuKey?: string
  /** The path of the list it is opened from, if it has no menu of its own; the menu and the breadcrumb show that list. */
  under?: string
  /** The query parameter of the displayed object; each object has its own tab. */
  object?: string
  /** Reachable in arrears too. */
  alwaysVisible?: boolean
  /** Rendered without the shell. */
  bare?: boolean
  lazy: () => Promise<{ default: ComponentType }>
}

type Place = { pathname: string; search: string }

/** The key of an open page: its path, and the object if the screen shows one of many. */
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
