import { liveMenus, liveOperations, type LivePanel } from '@wattdeck/contract/dashboard/live-operations.ts'
import type { QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import { useList } from '../../../kit/api/queries.ts'
import { grantedKeys } from '../../../kit/api/rights.ts'

export type LiveQuery = QueryOf<typeof liveOperations.charges>
export type Panels = ReturnType<typeof usePanels>

/** The data of each panel. A panel outside the user's rights makes no call. */
export function usePanels(user: Pick<UserInfo, 'menuTree'>, query: LiveQuery) {
  const { order: _order, ...owner } = query
  const menus = grantedKeys(user.menuTree)
  const has = (panel: LivePanel) => liveMenus[panel].some((key) => menus.has(key))
  const seen = { devices: has('devices'), alarms: has('alarms'), charges: has('charges') }
  return {
    seen,
    owner,
    menus,
    devices: useList(liveOperations.devices, { query: owner, enabled: seen.devices }),
    alarms: useList(liveOperations.alarms, { query: owner, enabled: seen.alarms }),
    charges: useList(liveOperations.charges, { query, enabled: seen.charges }),
  }
}
