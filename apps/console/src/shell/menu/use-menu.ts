import { useMemo } from 'react'
import { useUser } from '../../kit/api/user.ts'
import { menuOf } from './menu-model.ts'
import { screens } from '../../features/screens.ts'

const paths = new Set(screens.map((screen) => screen.path))

export function useMenu() {
  const user = useUser()
  return useMemo(() => menuOf(user?.menuTree ?? [], user?.roleCodeList ?? [], paths), [user])
}
