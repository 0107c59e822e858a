import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../../kit/routing/screen.ts'

const centre = 'member'

export const memberScreens: Screen[] = [
  {
    name: 'wechatUser',
    path: '/member/wechatUser',
    title: '微信用户',
    centre,
    menuKey: menuKey.wechatUser,
    lazy: () => import('./wechat-user.page.tsx'),
  },
  {
    name: 'miniUser',
    path: '/member/miniUser',
    title: '小程序用户管理',
    centre,
    menuKey: menuKey.miniUser,
    lazy: () => import('./mini-user.page.tsx'),
  },
  {
    name: 'balanceAdjustment',
    path: '/member/balanceAdjustment',
    title: '余额调整审批',
    centre,
    menuKey: menuKey.balanceAdjustment,
    lazy: () => import('./balance-adjustment/balance-adjustment.page.tsx'),
  },
]
