import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../../kit/routing/screen.ts'

const centre = 'personal'

export const personalScreens: Screen[] = [
  {
    name: 'basicInfo',
    path: '/personal/basicInfo',
    title: '基本信息',
    centre,
    menuKey: menuKey.basicInfo,
    alwaysVisible: true,
    lazy: () => import('./basic-info/basic-info.page.tsx'),
  },
  {
    name: 'changePassword',
    path: '/personal/changePassword',
    title: '修改密码',
    centre,
    menuKey: menuKey.changePassword,
    alwaysVisible: true,
    lazy: () => import('./change-password.page.tsx'),
  },
  {
    name: 'bindPhone',
    path: '/personal/bindPhone',
    title: '绑定手机',
    centre,
    menuKey: menuKey.bindPhone,
    alwaysVisible: true,
    lazy: () => import('./bind-phone.page.tsx'),
  },
]
