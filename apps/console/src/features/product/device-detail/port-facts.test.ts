import { plugStatus } from '@wattdeck/contract/product/device-codes.ts'
import { describe, expect, it } from 'vitest'
import { portFacts } from './port-facts.ts'

const readings = { powerDw: 2217, energyWh: 1500, minutes: 12, temperatureC: 33, orderNo: '20261115000001' }

describe('a port', () => {
  it('shows power, energy, duration and order while it charges', () => {
    expect(portFacts({ status: plugStatus.code.working, ...readings })).toEqual([
      ['功率', '221.7 W'],
      ['电量', '1.5 kWh'],
      ['时长', '12 分钟'],
      ['温度', '33 ℃'],
      ['订单', '20261115000001'],
    ])
  })

  it('shows no readings of the last charge in other states', () => {
    const others = plugStatus.options.map(({ value }) => value).filter((status) => status !== plugStatus.code.working)
    const shown = new Set(others.map((status) => JSON.stringify(portFacts({ status, ...readings }))))
    expect([...shown]).toEqual([JSON.stringify([['温度', '33 ℃']])])
  })
})
