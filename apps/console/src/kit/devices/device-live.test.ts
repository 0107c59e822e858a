import type { DeviceDetail } from '@wattdeck/contract/product/device-detail.ts'
import type { DevicePatch, PortPatch } from '@wattdeck/contract/product/device-live.ts'
import type { Device } from '@wattdeck/contract/product/device-manage.ts'
import { describe, expect, it } from 'vitest'
import { patchedDetail, patchedRow } from './device-live.ts'

const port = (portNo: number, status: number): PortPatch => ({
  portNo,
  status,
  powerDw: 1200,
  voltageDv: null,
  currentMa: null,
  energyWh: 10,
  minutes: 3,
  temperatureC: null,
  orderNo: null,
  reportedAt: '2026-11-15 10:00:00',
})
const patch = (ports: PortPatch[], online = true): DevicePatch => ({
  id: '1',
  online,
  lastSeenAt: '2026-11-15 10:00:00',
  csq: null,
  temperatureC: null,
  voltageDv: 2200,
  ports,
})
const row = {
  id: '1',
  online: true,
  csq: 18,
  lastSeenAt: '2026-11-15 09:00:00',
  ports: [
    { portNo: 1, status: 1 },
    { portNo: 2, status: 1 },
  ],
} as Device

describe('a row of the list', () => {
  it('applies a heartbeat without a flash, and keeps values that it does not report', () => {
    const { row: now, flash } = patchedRow(row, patch([port(1, 1)]))
    expect(now).toMatchObject({ csq: 18, lastSeenAt: '2026-11-15 10:00:00' })
    expect(flash).toBe(false)
  })
  it('flashes when a port changes, and when the device goes offline', () => {
    expect(patchedRow(row, patch([port(2, 2)]))).toMatchObject({
      row: {
        ports: [
          { portNo: 1, status: 1 },
          { portNo: 2, status: 2 },
        ],
      },
      flash: true,
    })
    expect(patchedRow(row, patch([], false))).toMatchObject({ row: { online: false }, flash: true })
  })
  it('ignores an unknown port status', () => {
    expect(patchedRow(row, patch([port(1, 42)])).row.ports[0]?.status).toBe(1)
  })
})

it('a port of the detail has the time of its last status change, not of its last report', () => {
  const basePort = { ...port(1, 1), enabled: true, statusSince: '2026-11-15 08:00:00' }
  const detail = { ...row, ports: [basePort, { ...basePort, portNo: 2 }] } as unknown as DeviceDetail
  const now = patchedDetail(detail, patch([port(1, 1), port(2, 2)]))
  expect(now.ports.map(({ statusSince }) => statusSince)).toEqual(['2026-11-15 08:00:00', '2026-11-15 10:00:00'])
  expect(now).toMatchObject({ voltageDv: 2200, csq: 18 })
})
