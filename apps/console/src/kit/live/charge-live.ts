import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { subscribeLive, watchDevices } from './live-bus.ts'
import type { RowChange } from './live-rows.ts'
import type { WatchRows } from './use-live-rows.ts'

/** The values that a device reports of a running charge. */
export type ChargeFigures = {
  id: string
  portNo: number
  powerDw: number | null
  energyDwh: number | null
  durationS: number | null
  reportedAt: string | null
}

/** The charge after a report of its device. Energy and time never decrease. */
export function applyReport<T extends ChargeFigures>(row: T, patch: DevicePatch): T {
  const port = patch.ports.find(({ portNo }) => portNo === row.portNo)
  const report = port?.orderNo === undefined || port.orderNo === null || port.orderNo === row.id ? port : undefined
  return {
    ...row,
    powerDw: report?.powerDw ?? row.powerDw,
    energyDwh: report?.energyWh == null ? row.energyDwh : Math.max(row.energyDwh ?? 0, report.energyWh * 10),
    durationS: report?.minutes == null ? row.durationS : Math.max(row.durationS ?? 0, report.minutes * 60),
    reportedAt: report?.reportedAt ?? row.reportedAt,
  }
}

/** Subscribes to the devices of charges, and patches each charge with the reports of its device. */
export const watchCharges =
  <T extends { id: string; deviceId: string }>(
    patched: (row: T, patch: DevicePatch) => ReturnType<RowChange<T>>,
  ): WatchRows<T> =>
  (rows, onUpdate) => {
    const unwatch = watchDevices([...new Set(rows.map(({ deviceId }) => deviceId))])
    const deaf = subscribeLive((event) => {
      if (event.kind !== 'devices') return
      const patches = new Map(event.rows.map((patch) => [patch.id, patch]))
      onUpdate(
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
