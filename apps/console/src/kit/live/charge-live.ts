import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { hearLive, watchDevices } from './live-bus.ts'
import type { RowChange } from './live-rows.ts'
import type { WatchRows } from './use-live-rows.ts'

/** What a device tells of a charge while it runs. */
export type ChargeFigures = {
  id: string
  portNo: number
  powerDw: number | null
  energyDwh: number | null
  durationS: number | null
  reportedAt: string | null
}

/** The charge after its device has spoken. Energy and time never count backwards. */
export function heardOf<T extends ChargeFigures>(row: T, patch: DevicePatch): T {
  const port = patch.ports.find(({ portNo }) => portNo === row.portNo)
  const heard = port?.orderNo === undefined || port.orderNo === null || port.orderNo === row.id ? port : undefined
  return {
    ...row,
    powerDw: heard?.powerDw ?? row.powerDw,
    energyDwh: heard?.energyWh == null ? row.energyDwh : Math.max(row.energyDwh ?? 0, heard.energyWh * 10),
    durationS: heard?.minutes == null ? row.durationS : Math.max(row.durationS ?? 0, heard.minutes * 60),
    reportedAt: heard?.reportedAt ?? row.reportedAt,
  }
}

/** Watches the devices of charges, and changes each charge by what its device says. */
export const watchCharges =
  <T extends { id: string; deviceId: string }>(
    patched: (row: T, patch: DevicePatch) => ReturnType<RowChange<T>>,
  ): WatchRows<T> =>
  (rows, tell) => {
    const unwatch = watchDevices([...new Set(rows.map(({ deviceId }) => deviceId))])
    const deaf = hearLive((event) => {
      if (event.kind !== 'devices') return
      const patches = new Map(event.rows.map((patch) => [patch.id, patch]))
      tell(
        new Map(
          rows.flatMap(({ id, deviceId }) => {
            const patch = patches.get(deviceId)
            return patch === undefined ? [] : [[id, (row: T) => patched(row, patch)] as const]
          }),
        ),
      )
    })
    return () => {
      deaf()
      unwatch()
    }
  }
