import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import type { Screen } from '../../kit/routing/screen.ts'

const centre = 'accounting'

export const accountingScreens: Screen[] = [
  {
    name: 'payAuth',
    path: '/accounting/payAuth',
    title: '支付授权',
    centre,
    menuKey: menuKey.payAuth,
    lazy: () => import('./pay-auth.page.tsx'),
  },
  {
    name: 'paySetting',
    path: '/accounting/paySetting',
    title: '支付设置',
    centre,
    menuKey: menuKey.paySetting,
    lazy: () => import('./pay-setting/pay-setting.page.tsx'),
  },
  {
    name: 'customerAnalysis',
    path: '/accounting/customerAnalysis',
    title: '客户经营分析',
    centre,
    menuKey: menuKey.customerAnalysis,
    lazy: () => import('./customer-analysis/customer-analysis.page.tsx'),
  },
  {
    name: 'reconciliation',
    path: '/accounting/reconciliation',
    title: '对账',
    centre,
    menuKey: menuKey.reconciliation,
    lazy: () => import('./reconciliation/reconciliation.page.tsx'),
  },
]
