import type { OpenOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { hearLive, watchDevices } from '../../../kit/live/live-bus.ts'
import type { WatchRows } from '../../../kit/live/use-live-rows.ts'

/** An open order after its device has spoken. What comes every minute is no news; that the device came or went is. */
export function patchedOrder(row: OpenOrder, patch: DevicePatch): { row: OpenOrder; flash: boolean } {
  const port = patch.ports.find(({ portNo }) => portNo === row.portNo)
  const wasOffline = row.marks.includes('offline')
  const marks = row.marks.filter((mark) => mark !== 'offline')
  const heard = port?.orderNo === undefined || port.orderNo === null || port.orderNo === row.id ? port : undefined
  return {
    row: {
      ...row,
      marks: patch.online ? marks : ['offline', ...marks],
      powerDw: heard?.powerDw ?? row.powerDw,
      energyDwh: heard?.energyWh == null ? row.energyDwh : Math.max(row.energyDwh ?? 0, heard.energyWh * 10),
      durationS: heard?.minutes == null ? row.durationS : Math.max(row.durationS ?? 0, heard.minutes * 60),
      reportedAt: heard?.reportedAt ?? row.reportedAt,
    },
    flash: wasOffline === patch.online,
  }
}

export const watchOpenRows: WatchRows<OpenOrder> = (rows, tell) => {
  const unwatch = watchDevices([...new Set(rows.map(({ deviceId }) => deviceId))])
  const deaf = hearLive((event) => {
    if (event.kind !== 'devices') return
    const patches = new Map(event.rows.map((patch) => [patch.id, patch]))
    tell(
      new Map(
        rows.flatMap(({ id, deviceId }) => {
          const patch = patches.get(deviceId)
          return patch === undefined ? [] : [[id, (row: OpenOrder) => patchedOrder(row, patch)] as const]
        }),
      ),
    )
  })
  return () => {
    deaf()
    unwatch()
  }
}

/** Many ports of a device may speak at once. */
const readEveryMs = 1000

/** Tells that a port has spoken, once a second at most, until the answered function is called. */
export function hearPort({ deviceId, portNo }: { deviceId: string; portNo: number }, tell: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unwatch = watchDevices([deviceId])
  const deaf = hearLive((event) => {
    if (event.kind !== 'devices' || timer !== undefined) return
    const spoke = event.rows.some(({ id, ports }) => id === deviceId && ports.some((port) => port.portNo === portNo))
    if (!spoke) return
    timer = setTimeout(() => {
      timer = undefined
      tell()
    }, readEveryMs)
  })
  return () => {
    clearTimeout(timer)
    deaf()
    unwatch()
  }
}
