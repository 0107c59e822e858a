import type { OpenOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { heardOf, watchCharges } from '../../../kit/live/charge-live.ts'
import { hearLive, watchDevices } from '../../../kit/live/live-bus.ts'

/** An open order after its device has spoken. What comes every minute is no news; that the device came or went is. */
export function patchedOrder(row: OpenOrder, patch: DevicePatch): { row: OpenOrder; flash: boolean } {
  const wasOffline = row.marks.includes('offline')
  const marks = row.marks.filter((mark) => mark !== 'offline')
  return {
    row: { ...heardOf(row, patch), marks: patch.online ? marks : ['offline', ...marks] },
    flash: wasOffline === patch.online,
  }
}

export const watchOpenRows = watchCharges(patchedOrder)

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
