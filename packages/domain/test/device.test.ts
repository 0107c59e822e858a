import { describe, expect, it } from 'vitest'
import { fitsWire, wireForm, wireIdOf } from '../src/device-number.ts'
import { serviceDue } from '../src/device-service.ts'
import { signalOf } from '../src/signal.ts'

describe('a device number', () => {
  it.each([
    ['dny', '13544000', 2, '40aace04'],
    ['dny', '01000001', 10, '41420f05'],
    ['mqtt-json', 'WD0001', 2, 'WD0001'],
    ['ykc', '55031412782305', 2, '55031412782305'],
    ['ykc', '5503141278230', 2, undefined],
    ['dny', '99999999', 2, undefined],
    ['dny', 'AB123456', 2, undefined],
    ['dny', '13544000', 3, undefined],
  ])('of %s %s with %i ports is %s on the wire', (adapter, number, ports, wire) => {
    expect(wireIdOf(adapter, number, ports)).toBe(wire)
  })
  it('has eight hex digits on a DNY wire', () => {
    expect([fitsWire('dny', '40aace04'), fitsWire('dny', '13544000x')]).toEqual([true, false])
    expect(wireForm('dny')).toBe('8位十六进制数')
  })
  it('has fourteen digits on a YKC wire, and stays unchanged elsewhere', () => {
    expect([fitsWire('ykc', '55031412782305'), fitsWire('ykc', 'x'), fitsWire('mqtt-json', 'x')]).toEqual([
      true,
      false,
      true,
    ])
  })
})

describe('the service fee of a device', () => {
  it('is priced by the year, without the free devices, to the fen', () => {
    const terms = { freeDevices: 5, unitPriceFen: 3600n, cycleMonths: 12 }
    expect(serviceDue({ ...terms, chosen: 3, all: 100 })).toEqual({ chargeable: 3, dueFen: 10_800n })
    expect(serviceDue({ ...terms, chosen: 10, all: 10 })).toEqual({ chargeable: 5, dueFen: 18_000n })
    expect(serviceDue({ ...terms, chosen: 3, all: 4 })).toEqual({ chargeable: 0, dueFen: 0n })
    expect(serviceDue({ ...terms, chosen: 1, all: 9, unitPriceFen: 1000n, cycleMonths: 1 }).dueFen).toBe(83n)
  })
})

it.each([
  [31, 'strong'],
  [20, 'strong'],
  [12, 'medium'],
  [6, 'weak'],
  [0, 'veryWeak'],
  [99, 'unknown'],
  [null, 'unknown'],
] as const)('a signal of %s is %s', (csq, signal) => {
  expect(signalOf(csq)).toBe(signal)
})
