import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { authScreens } from './auth/routes.ts'
import type { Screen } from '../kit/routing/screen.ts'
import { menuScreens } from './screens.gen.ts'

/** Screens that are opened from a list or by a link. */
const otherScreens: Screen[] = [
  {
    name: 'deviceDetail',
    path: '/product/deviceDetail',
    title: '设备详情',
    centre: 'product',
    under: '/product/deviceManage',
    object: 'id',
    menuKey: menuKey.deviceManage,
    lazy: () => import('./product/device-detail/device-detail.page.tsx'),
  },
  {
    name: 'siteDetail',
    path: '/system/siteDetail',
    title: '站点详情',
    centre: 'system',
    under: '/system/site',
    object: 'id',
    menuKey: menuKey.site,
    lazy: () => import('./system/site-detail/site-detail.page.tsx'),
  },
  {
    name: 'memberInfo',
    path: '/member/memberInfo',
    title: '会员详情',
    centre: 'member',
    under: '/member/wechatUser',
    object: 'id',
    // Users with any list of members may open a member.
    menuKey: menuKey.member,
    lazy: () => import('./member/member-info/member-info.page.tsx'),
  },
  {
    name: 'deskShift',
    path: '/operating/deskShift',
    title: '交班',
    centre: 'operating',
    under: '/operating/offlineRecharge',
    menuKey: menuKey.offlineRecharge,
    lazy: () => import('./operating/desk-shift/desk-shift.page.tsx'),
  },
  {
    name: 'refundReview',
    path: '/order/refundReview',
    title: '退款审批',
    centre: 'order',
    under: '/order/refundOrder',
    menuKey: menuKey.refundOrder,
    lazy: () => import('./order/refund-review/refund-review.page.tsx'),
  },
  {
    name: 'chargingOrder',
    path: '/order/chargingOrder',
    title: '订单详情',
    centre: 'order',
    under: '/order/consumeOrder',
    object: 'id',
    // Users with any list of orders may open an order.
    menuKey: menuKey.order,
    lazy: () => import('./order/charging-order/charging-order.page.tsx'),
  },
  {
    name: 'dataScreen',
    path: '/dataScreen',
    title: '数据大屏',
    centre: 'custom',
    bare: true,
    lazy: () => import('./dashboard/data-screen.page.tsx'),
  },
]

/** Every screen of the console. */
export const screens: Screen[] = [...authScreens, ...menuScreens, ...otherScreens]
