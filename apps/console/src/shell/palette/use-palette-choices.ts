import { search } from '@wattdeck/contract/auth/search.ts'
import { useDeferredValue } from 'react'
import { setAppearance, useAppearance, useLook } from '../../kit/theme/appearance.ts'
import { useList } from '../../kit/api/queries.ts'
import { useSettled } from '../../kit/display/use-settled.ts'
import { type MenuItem } from '../menu/menu-model.ts'
import type { Overlay } from '../overlays.ts'
import { type Choice, commandChoices, menuChoices, recentFirst, recordChoices } from './palette-model.ts'
import { useLogout } from '../../kit/api/use-logout.ts'

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
): { choices: Choice[]; searching: boolean } {
  const wanted = useDeferredValue(text)
  const asked = useSettled(text)
  const records = useList(search.records, { query: { q: asked }, enabled: asked !== '' })
  const commands = useCommands(onOpen)
  const menus = menuChoices(menu, wanted)
  const choices = [
    // Menus are here at once and records come later: those that are here must not move under the Enter key.
    ...(wanted.trim() === '' ? recentFirst(menus, readRecent()) : menus),
    ...(asked === '' || text.trim() === '' ? [] : recordChoices(records.data ?? [])),
    ...commandChoices(commands, wanted),
  ]
  return { choices, searching: records.isFetching }
}
