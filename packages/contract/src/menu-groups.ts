import { menuKey } from './menu-keys.ts'

/**
 * Groups of menus in a centre, named as in spec §2. A group has its own key; rights are stored by key, so a menu that
 * moves into a group keeps its key. A group without built screens is absent.
 */
export const menuGroups = [
  {
    key: '7.20',
    title: '交易订单',
    icon: 'solution',
    centre: menuKey.order,
    holds: [
      menuKey.payOrder,
      menuKey.consumeOrder,
      menuKey.refundOrder,
      menuKey.unfinishedOrder,
      menuKey.orderStatistics,
      menuKey.completedOrder,
      menuKey.memberCardBuy,
      menuKey.orderReview,
    ],
  },
  {
    key: '7.21',
    title: '充值订单',
    icon: 'download',
    centre: menuKey.order,
    holds: [menuKey.rechargeRecord, menuKey.rechargeRefund, menuKey.enterpriseRefund, menuKey.rechargeStatistics],
  },
] as const
