import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../kit/screen.ts'

export const dashboardScreens: Screen[] = [
  {
    name: 'workTable',
    path: '/dashboard/workTable',
    title: '工作台',
    centre: 'dashboard',
    menuKey: menuKey.workTable,
    lazy: () => import('./work-table.page.tsx'),
  },
]
