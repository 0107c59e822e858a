import { type LiveCharge, liveOperations } from '@wattdeck/contract/dashboard/live-operations.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { menuKey } from '@wattdeck/contract/menu-keys.ts'
import { useEffect, useEffectEvent } from 'react'
import { routeKey } from '../../../kit/api/queries.ts'
import { applyReport, watchCharges } from '../../../kit/live/charge-live.ts'
import { patchPage, type RowChange } from '../../../kit/live/live-rows.ts'
import type { LiveQuery, Panels } from './use-panels.ts'

const watch = watchCharges((row: LiveCharge, patch: DevicePatch) => ({
  row: { ...applyReport(row, patch), online: patch.online },
  flash: false,
}))
/** The stream sends device events only to users with one of these menus. */
const watching: readonly string[] = [menuKey.deviceManage, menuKey.unfinishedOrder]

/** Patches the displayed charges with the events of their devices. */
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
