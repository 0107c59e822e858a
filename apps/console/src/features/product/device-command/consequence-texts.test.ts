import { deviceOperation } from '@wattdeck/contract/product/device-command.ts'
import { describe, expect, it } from 'vitest'
import { chargingCount, chargingText, operationTexts } from './consequence-texts.ts'

const ports = [
  { portNo: 1, status: 2 },
  { portNo: 2, status: 1 },
  { portNo: 3, status: 2 },
]

describe('the consequences of a device command', () => {
  it('name the ports that are charging', () => {
    expect(chargingText({ ports, online: true })).toBe('2 个（1、3 号端口）')
    expect(chargingText({ ports: [], online: true })).toBe('0 个')
    expect(chargingText({ ports, online: false })).toBe('2 个（1、3 号端口），为离线前的状态')
    expect(chargingCount([{ ports }, { ports: [] }, { ports }])).toBe(4)
  })

  it('have a text for each operation', () => {
    expect(Object.keys(operationTexts).map(Number)).toEqual(deviceOperation.options.map(({ value }) => value))
  })
})
