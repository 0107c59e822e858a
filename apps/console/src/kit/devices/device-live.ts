import { type plugStatus, plugStatus as plugs } from '@wattdeck/contract/product/device-codes.ts'
import type { DeviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import { subscribeLive, watchDevices } from '../live/live-bus.ts'
import type { WatchRows } from '../live/use-live-rows.ts'

type PlugCode = (typeof plugStatus.options)[number]['value']
const isPlug = (status: number): status is PlugCode => plugs.options.some((option) => option.value === status)

/** The live fields of both list and detail. A value that the message does not report stays as it was. */
const liveFields = (before: Pick<Device, 'csq' | 'lastSeenAt'>, { online, lastSeenAt, csq }: DevicePatch) => ({
  online,
  lastSeenAt: lastSeenAt ?? before.lastSeenAt,
  csq: csq ?? before.csq,
})

/** Applies a message to a row. The row flashes when the device connects, disconnects or a port changes. */
export function patchedRow(row: Device, patch: DevicePatch): { row: Device; flash: boolean } {
  const reportedStatus = new Map(patch.ports.map(({ portNo, status }) => [portNo, status]))
  const ports = row.ports.map((port) => {
    const status = reportedStatus.get(port.portNo) ?? port.status
    return status !== port.status && isPlug(status) ? { ...port, status } : port
  })
  const flash = patch.online !== row.online || ports.some((port, place) => port !== row.ports[place])
  return { row: { ...row, ...liveFields(row, patch), ports }, flash }
}

export function patchedDetail(device: DeviceDetail, patch: DevicePatch): DeviceDetail {
  const reportedPorts = new Map(patch.ports.map((port) => [port.portNo, port]))
  const ports = device.ports.map((port) => {
    const now = reportedPorts.get(port.portNo)
    if (now === undefined) return port
    const statusSince = now.status === port.status ? port.statusSince : (now.reportedAt ?? port.statusSince)
    // The next charge has another order, whose id comes with the next read of the device.
    const orderId = now.orderNo === port.orderNo ? port.orderId : null
    return { ...port, ...now, statusSince, orderId }
  })
  const { temperatureC, voltageDv } = patch
  return {
    ...device,
    ...liveFields(device, patch),
    temperatureC: temperatureC ?? device.temperatureC,
    voltageDv: voltageDv ?? device.voltageDv,
    ports,
  }
}

/** Subscribes to messages of these devices; returns the function that unsubscribes. */
export function subscribeDevices(
  ids: readonly string[],
  listener: (patches: readonly DevicePatch[]) => void,
): () => void {
  const unwatch = watchDevices(ids)
  const unsubscribe = subscribeLive((event) => {
    if (event.kind === 'devices') listener(event.rows)
  })
  return () => {
    unsubscribe()
    unwatch()
  }
}

export const watchDeviceRows: WatchRows<Device> = (rows, onUpdate) =>
  subscribeDevices(
    rows.map(({ id }) => id),
    (patches) => onUpdate(new Map(patches.map((patch) => [patch.id, (row) => patchedRow(row, patch)]))),
  )
