import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../kit/screen.ts'

const centre = 'order'

export const orderScreens: Screen[] = [
  {
    name: 'consumeOrder',
    path: '/order/consumeOrder',
    title: '消费订单',
    centre,
    menuKey: menuKey.consumeOrder,
    lazy: () => import('./consume-order.page.tsx'),
  },
  {
    name: 'unfinishedOrder',
    path: '/order/unfinishedOrder',
    title: '未完成订单',
    centre,
    menuKey: menuKey.unfinishedOrder,
    lazy: () => import('./unfinished-order.page.tsx'),
  },
  {
    name: 'completedOrder',
    path: '/order/completedOrder',
    title: '已完成订单',
    centre,
    menuKey: menuKey.completedOrder,
    lazy: () => import('./completed-order.page.tsx'),
  },
  {
    name: 'orderReview',
    path: '/order/orderReview',
    title: '复核队列',
    centre,
    menuKey: menuKey.orderReview,
    lazy: () => import('./order-review.page.tsx'),
  },
  {
    name: 'chargingOrder',
    path: '/order/chargingOrder',
    title: '订单详情',
    centre,
    under: '/order/consumeOrder',
    // Whoever sees any list of orders sees an order.
    menuKey: menuKey.order,
    lazy: () => import('./charging-order.page.tsx'),
  },
]
