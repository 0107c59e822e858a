import type { OpenOrder } from '@wattdeck/contract/order/unfinished-order.ts'
import type { DevicePatch } from '@wattdeck/contract/product/device-live.ts'
import { describe, expect, it } from 'vitest'
import { patchedOrder } from './order-live.ts'

const row = {
  id: '77',
  portNo: 2,
  marks: ['offline', 'overdue'],
  powerDw: 100,
  energyDwh: 500,
  durationS: 60,
  reportedAt: null,
} as unknown as OpenOrder
const port = {
  portNo: 2,
  status: 2,
  powerDw: 4000,
  energyWh: 60,
  minutes: 3,
  orderNo: '77',
  reportedAt: '2026-11-15 10:00:00',
}
const patch = (more: object = {}, ports: object[] = [port]) =>
  ({ id: '1', online: true, ports, ...more }) as unknown as DevicePatch

describe('an open order', () => {
  it('follows its port, and flashes when its device comes online', () => {
    expect(patchedOrder(row, patch())).toMatchObject({
      flash: true,
      row: { marks: ['overdue'], powerDw: 4000, energyDwh: 600, durationS: 180, reportedAt: '2026-11-15 10:00:00' },
    })
  })
  it('ignores events of another port, or of another order of its port', () => {
    const other = patchedOrder(
      row,
      patch({}, [
        { ...port, portNo: 1 },
        { ...port, orderNo: '78' },
      ]),
    )
    expect(other.row).toMatchObject({ powerDw: 100, energyDwh: 500, durationS: 60, reportedAt: null })
  })
  it('never counts backwards, and is marked when its device goes offline', () => {
    const lazyPart = patchedOrder({ ...row, marks: [], energyDwh: 900 }, patch({ online: false }))
    expect(lazyPart).toMatchObject({ flash: true, row: { energyDwh: 900, marks: ['offline'] } })
  })
})
