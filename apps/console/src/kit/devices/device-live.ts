import { type plugStatus, plugStatus as plugs } from '@wattdeck/contract/product/device-codes.ts'
import type { DeviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import { hearLive, watchDevices } from '../live/live-bus.ts'
import type { WatchRows } from '../live/use-live-rows.ts'

type PlugCode = (typeof plugStatus.options)[number]['value']
const isPlug = (status: number): status is PlugCode => plugs.options.some((option) => option.value === status)

/** What both list and detail show of a device and can change by itself. What was not said stays as it was known. */
const heard = (before: Pick<Device, 'csq' | 'lastSeenAt'>, { online, lastSeenAt, csq }: DevicePatch) => ({
  online,
  lastSeenAt: lastSeenAt ?? before.lastSeenAt,
  csq: csq ?? before.csq,
})

/** A row of the list after a message. That a device lives is no news; that it came, went or a port changed is. */
export function patchedRow(row: Device, patch: DevicePatch): { row: Device; flash: boolean } {
  const told = new Map(patch.ports.map(({ portNo, status }) => [portNo, status]))
  const ports = row.ports.map((port) => {
    const status = told.get(port.portNo) ?? port.status
    return status !== port.status && isPlug(status) ? { ...port, status } : port
  })
  const flash = patch.online !== row.online || ports.some((port, place) => port !== row.ports[place])
  return { row: { ...row, ...heard(row, patch), ports }, flash }
}

export function patchedDetail(device: DeviceDetail, patch: DevicePatch): DeviceDetail {
  const told = new Map(patch.ports.map((port) => [port.portNo, port]))
  const ports = device.ports.map((port) => {
    const now = told.get(port.portNo)
    if (now === undefined) return port
    const statusSince = now.status === port.status ? port.statusSince : (now.reportedAt ?? port.statusSince)
    // Another charge has an order of its own, which is read with the device.
    const orderId = now.orderNo === port.orderNo ? port.orderId : null
    return { ...port, ...now, statusSince, orderId }
  })
  const { temperatureC, voltageDv } = patch
  return {
    ...device,
    ...heard(device, patch),
    temperatureC: temperatureC ?? device.temperatureC,
    voltageDv: voltageDv ?? device.voltageDv,
    ports,
  }
}

/** Hears what these devices say, until the answered function is called. */
export function hearDevices(ids: readonly string[], hear: (patches: readonly DevicePatch[]) => void): () => void {
  const unwatch = watchDevices(ids)
  const deaf = hearLive((event) => {
    if (event.kind === 'devices') hear(event.rows)
  })
  return () => {
    deaf()
    unwatch()
  }
}

export const watchDeviceRows: WatchRows<Device> = (rows, tell) =>
  hearDevices(
    rows.map(({ id }) => id),
    (patches) => tell(new Map(patches.map((patch) => [patch.id, (row) => patchedRow(row, patch)]))),
  )
