import { type LiveCharge, liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { useEffect, useEffectEvent } from 'react'
import { routeKey } from '../../../kit/api/queries.ts'
import { heardOf, watchCharges } from '../../../kit/live/charge-live.ts'
import { patchPage, type RowChange } from '../../../kit/live/live-rows.ts'
import type { LiveQuery, Panels } from './use-panels.ts'

const watch = watchCharges((row: LiveCharge, patch: DevicePatch) => ({
  row: { ...heardOf(row, patch), online: patch.online },
  flash: false,
}))
/** The stream tells of devices only to holders of one of these. */
const watching: readonly string[] = [menuKey.deviceManage, menuKey.unfinishedOrder]

/** Changes the charges on the page by what their devices say. */
export function useChargePatches({ charges: read, menus }: Panels, query: LiveQuery): void {
  const rows = read.isPlaceholderData ? [] : (read.data?.rows ?? [])
  const ids = watching.some((key) => menus.has(key)) ? rows.map(({ id }) => id).join(',') : ''
  const patch = useEffectEvent(
    (changes: ReadonlyMap<string, RowChange<LiveCharge>>) =>
      void patchPage(routeKey(liveOperations.charges, undefined, query), changes),
  )
  const begin = useEffectEvent(() => watch(rows, (changes) => patch(changes)))
  useEffect(() => (ids === '' ? undefined : begin()), [ids])
}
