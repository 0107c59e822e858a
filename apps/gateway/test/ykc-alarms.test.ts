import { alarmKind } from '@wattdeck/device-protocol/alarm-kind.ts'
import type { PortReportEvent } from '@wattdeck/device-protocol/message.ts'
import { expect, it } from 'vitest'
import { YkcAlarms } from '../src/ykc-alarms.ts'

const report = (port: number, ...bits: number[]): PortReportEvent => ({
  kind: 'portReport',
  port,
  status: { name: 'fault', raw: 1 },
  powerDw: 0,
  energyWh: 0,
  durationS: 0,
  faults: bits.map((bit) => alarmKind.read('ykc', bit)),
})
const bytes = Uint8Array.of(1)
const start = 1_800_000_000_000

it('raises a fault of a gun when it starts, repeats it while it lasts, and stops when it ends', () => {
  const alarms = new YkcAlarms()
  const dueAlarms = (afterS: number) =>
    alarms.due(start + afterS * 1000).map(({ event }) => `${event.port ?? 0} ${event.alarm.name}`)
  alarms.report(report(1, 1), bytes)
  expect(dueAlarms(0)).toEqual(['1 emergencyStop'])
  alarms.report(report(1, 1, 7), bytes)
  alarms.report(report(2, 1), bytes)
  expect(dueAlarms(15)).toEqual(['1 hardware', '2 emergencyStop'])
  expect(dueAlarms(100)).toEqual([])
  expect(dueAlarms(120)).toEqual(['1 emergencyStop'])
  alarms.report(report(1), bytes)
  expect(dueAlarms(300)).toEqual(['2 emergencyStop'])
})
