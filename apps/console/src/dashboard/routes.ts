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
  {
    name: 'accountDetail',
    path: '/dashboard/accountDetail',
    title: '账户明细',
    centre: 'dashboard',
    menuKey: menuKey.accountDetail,
    lazy: () => import('./account-detail.page.tsx'),
  },
]
