import { accountingScreens } from '../accounting/routes.ts'
import { dashboardScreens } from '../dashboard/routes.ts'
import { gateScreens } from '../gate/routes.ts'
import type { Screen } from '../kit/screen.ts'
import { memberScreens } from '../member/routes.ts'
import { orderScreens } from '../order/routes.ts'
import { personalScreens } from '../personal/routes.ts'
import { productScreens } from '../product/routes.ts'
import { systemScreens } from '../system/routes.ts'

/** Every screen of the console. */
export const screens: Screen[] = [
  ...gateScreens,
  ...dashboardScreens,
  ...systemScreens,
  ...productScreens,
  ...memberScreens,
  ...orderScreens,
  ...accountingScreens,
  ...personalScreens,
]
