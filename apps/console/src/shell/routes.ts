import { accountingScreens } from '../features/accounting/routes.ts'
import { dashboardScreens } from '../features/dashboard/routes.ts'
import { authScreens } from '../features/auth/routes.ts'
import type { Screen } from '../kit/routing/screen.ts'
import { memberScreens } from '../features/member/routes.ts'
import { orderScreens } from '../features/order/routes.ts'
import { personalScreens } from '../features/personal/routes.ts'
import { productScreens } from '../features/product/routes.ts'
import { systemScreens } from '../features/system/routes.ts'

/** Every screen of the console. */
export const screens: Screen[] = [
  ...authScreens,
  ...dashboardScreens,
  ...systemScreens,
  ...productScreens,
  ...memberScreens,
  ...orderScreens,
  ...accountingScreens,
  ...personalScreens,
]
