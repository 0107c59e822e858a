import { search } from '@wattdeck/contract/auth/search.ts'
import { deviceCommand, deviceOperation } from '@wattdeck/contract/product/device-command.ts'
import { useDeferredValue } from 'react'
import { useAppearance, useLook } from '../../kit/theme/appearance.ts'
import { useChangeAppearance } from '../../kit/theme/use-change-appearance.ts'
import { useList } from '../../kit/api/queries.ts'
import { useDebouncedText } from '../../kit/display/use-settled.ts'
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
export const storeRecent = (ids: readonly string[]) => localStorage.setItem(recentKey, ids.join(','))

function useCommands(onOpen: (overlay: Overlay) => void) {
  const look = useLook()
  const appearance = useAppearance()
  const change = useChangeAppearance()
  const logout = useLogout()
  const other = look === 'dark' ? 'light' : 'dark'
  return [
    {
      title: other === 'dark' ? '切换到深色主题' : '切换到浅色主题',
      run: () => change({ ...appearance, theme: other }),
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
  const deferredText = useDeferredValue(text)
  const settledText = useDebouncedText(text)
  const records = useList(search.records, { query: { q: settledText }, enabled: settledText !== '' })
  const commands = useCommands(onOpen)
  const user = useUser()
  const found = settledText === '' || text.trim() === '' ? [] : (records.data ?? [])
  const menus = menuChoices(menu, deferredText)
  const choices = [
    // Menus are found at once and records load later, so menus come first and do not move under the Enter key.
    ...(deferredText.trim() === '' ? recentFirst(menus, readRecent()) : menus),
    ...recordChoices(found, user, settledText),
    ...(mayCall(user, deviceCommand.operate.access) ? deviceCommandChoices(found, user, operations) : []),
    ...commandChoices(commands, deferredText),
  ]
  // While the user types, the menus of the previous text are still shown.
  return { choices, searching: records.isFetching || settledText !== text.trim(), isStale: deferredText !== text }
}
