import type { OpenOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { applyReport, watchCharges } from '../../../kit/live/charge-live.ts'
import { subscribeLive, watchDevices } from '../../../kit/live/live-bus.ts'

/**
 * An open order after an event of its device. It flashes only when the online state changes, not for regular reports.
 */
export function patchedOrder(row: OpenOrder, patch: DevicePatch): { row: OpenOrder; flash: boolean } {
  const wasOffline = row.marks.includes('offline')
  const marks = row.marks.filter((mark) => mark !== 'offline')
  return {
    row: { ...applyReport(row, patch), marks: patch.online ? marks : ['offline', ...marks] },
    flash: wasOffline === patch.online,
  }
}

export const watchOpenRows = watchCharges(patchedOrder)

/** Many ports of a device may report at once. */
const readEveryMs = 1000

/** Calls `onReport` after reports of a port, at most once a second (throttle). Returns the function to stop. */
export function watchPort(
  { deviceId, portNo }: { deviceId: string; portNo: number },
  onReport: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const unwatch = watchDevices([deviceId])
  const unsubscribe = subscribeLive((event) => {
    if (event.kind !== 'devices' || timer !== undefined) return
    const spoke = event.rows.some(({ id, ports }) => id === deviceId && ports.some((port) => port.portNo === portNo))
    if (!spoke) return
    timer = setTimeout(() => {
      timer = undefined
      onReport()
    }, readEveryMs)
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
    unwatch()
  }
}
