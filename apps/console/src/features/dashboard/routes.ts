import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../../kit/routing/screen.ts'

export const dashboardScreens: Screen[] = [
  {
    name: 'workTable',
    path: '/dashboard/workTable',
    title: '工作台',
    centre: 'dashboard',
    menuKey: menuKey.workTable,
    lazy: () => import('./work-table/work-table.page.tsx'),
  },
  {
    name: 'accountDetail',
    path: '/dashboard/accountDetail',
    title: '账户明细',
    centre: 'dashboard',
    menuKey: menuKey.accountDetail,
    lazy: () => import('./account-detail/account-detail.page.tsx'),
  },
  {
    name: 'analysis',
    path: '/dashboard/analysis',
    title: '数据分析',
    centre: 'dashboard',
    menuKey: menuKey.analysis,
    lazy: () => import('./analysis/analysis.page.tsx'),
  },
  {
    name: 'dataCockpit',
    path: '/dashboard/dataCockpit',
    title: '数据驾驶舱',
    centre: 'dashboard',
    menuKey: menuKey.dataCockpit,
    lazy: () => import('./data-cockpit/data-cockpit.page.tsx'),
  },
  {
    name: 'dataScreen',
    path: '/dataScreen',
    title: '数据大屏',
    centre: 'custom',
    bare: true,
    lazy: () => import('./data-screen.page.tsx'),
  },
  {
    name: 'screenLink',
    path: '/custom/screenLink',
    title: '大屏链接',
    centre: 'custom',
    menuKey: menuKey.dataScreen,
    lazy: () => import('./screen-link/screen-link.page.tsx'),
  },
]
