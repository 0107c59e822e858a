import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../kit/screen.ts'

const centre = 'system'

export const systemScreens: Screen[] = [
  {
    name: 'menuManager',
    path: '/system/menuManager',
    title: '菜单管理',
    centre,
    menuKey: menuKey.menuManager,
    lazy: () => import('./menu-manager.page.tsx'),
  },
  {
    name: 'department',
    path: '/system/department',
    title: '部门管理',
    centre,
    menuKey: menuKey.department,
    lazy: () => import('./department.page.tsx'),
  },
  {
    name: 'staff',
    path: '/system/staff',
    title: '员工管理',
    centre,
    menuKey: menuKey.staff,
    lazy: () => import('./staff.page.tsx'),
  },
  {
    name: 'resource',
    path: '/system/resource',
    title: '资源管理',
    centre,
    menuKey: menuKey.resource,
    lazy: () => import('./resource.page.tsx'),
  },
  {
    name: 'role',
    path: '/system/role',
    title: '角色管理',
    centre,
    menuKey: menuKey.role,
    lazy: () => import('./role.page.tsx'),
  },
  {
    name: 'log',
    path: '/system/log',
    title: '日志管理',
    centre,
    menuKey: menuKey.log,
    lazy: () => import('./log.page.tsx'),
  },
]
