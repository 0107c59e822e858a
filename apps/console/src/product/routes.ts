import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../kit/screen.ts'

const centre = 'product'

export const productScreens: Screen[] = [
  {
    name: 'deviceManage',
    path: '/product/deviceManage',
    title: '设备管理',
    centre,
    menuKey: menuKey.deviceManage,
    lazy: () => import('./device-manage.page.tsx'),
  },
  {
    name: 'deviceDetail',
    path: '/product/deviceDetail',
    title: '设备详情',
    centre,
    under: '/product/deviceManage',
    menuKey: menuKey.deviceManage,
    lazy: () => import('./device-detail.page.tsx'),
  },
]
