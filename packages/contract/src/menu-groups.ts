import { menuKey } from './menu-keys.ts'

/**
 * Groups that a centre shows its menus in, as spec §2 names them. A group has a key of its own beside those it holds: rights
 * are kept by key, so a menu that moves into a group keeps its key. A group whose screens are not built is absent.
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
