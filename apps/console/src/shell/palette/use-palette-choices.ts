import { search } from '@wattdeck/contract/auth/search.ts'
import { deviceCommand, deviceOperation } from '@wattdeck/contract/product/device-command.ts'
import { useDeferredValue } from 'react'
import { setAppearance, useAppearance, useLook } from '../../kit/theme/appearance.ts'
import { useList } from '../../kit/api/queries.ts'
import { useSettled } from '../../kit/display/use-settled.ts'
import { type MenuItem } from '../menu/menu-model.ts'
import type { Overlay } from '../overlays.ts'
import {
  type Choice,
  commandChoices,
  deviceCommandChoices,
  menuChoices,
  recentFirst,
  recordChoices,
} from './palette-model.ts'
import { mayCall } from '../../kit/api/rights.ts'
import { useUser } from '../../kit/api/user.ts'
import { useLogout } from '../../kit/api/use-logout.ts'

const operations = deviceOperation.options.filter(
  ({ value }) => value === deviceOperation.code.restart || value === deviceOperation.code.query,
)

const recentKey = 'palette-recent'

export const readRecent = () => (localStorage.getItem(recentKey) ?? '').split(',').filter((id) => id !== '')
export const keepRecent = (ids: readonly string[]) => localStorage.setItem(recentKey, ids.join(','))

function useCommands(onOpen: (overlay: Overlay) => void) {
  const look = useLook()
  const appearance = useAppearance()
  const logout = useLogout()
  const other = look === 'dark' ? 'light' : 'dark'
  return [
    {
      title: other === 'dark' ? '切换到深色主题' : '切换到浅色主题',
      run: () => setAppearance({ ...appearance, theme: other }),
    },
    { title: '更换主题色', run: () => onOpen('theme') },
    { title: '查看通知', run: () => onOpen('notices') },
    { title: '查看快捷键', run: () => onOpen('shortcuts') },
    { title: '退出登录', run: logout },
  ]
}

export function usePaletteChoices(
  text: string,
  menu: readonly MenuItem[],
  onOpen: (overlay: Overlay) => void,
): { choices: Choice[]; searching: boolean; isStale: boolean } {
  const wanted = useDeferredValue(text)
  const asked = useSettled(text)
  const records = useList(search.records, { query: { q: asked }, enabled: asked !== '' })
  const commands = useCommands(onOpen)
  const user = useUser()
  const found = asked === '' || text.trim() === '' ? [] : (records.data ?? [])
  const menus = menuChoices(menu, wanted)
  const choices = [
    // Menus are here at once and records come later: those that are here must not move under the Enter key.
    ...(wanted.trim() === '' ? recentFirst(menus, readRecent()) : menus),
    ...recordChoices(found, user, asked),
    ...(mayCall(user, deviceCommand.operate.access) ? deviceCommandChoices(found, user, operations) : []),
    ...commandChoices(commands, wanted),
  ]
  // While one types, the menus of the text before are still shown.
  return { choices, searching: records.isFetching || asked !== text.trim(), isStale: wanted !== text }
}
