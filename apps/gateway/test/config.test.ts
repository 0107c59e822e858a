import { afterEach, describe, expect, it, vi } from 'vitest'
import { AddressGuard, parseNetworks, plainAddress } from '../src/address-guard.ts'
import { readConfig } from '../src/config.ts'

afterEach(() => vi.unstubAllEnvs())

describe('gateway with default settings', () => {
  it('opens no port for clear-text passwords', () => {
    vi.stubEnv('OCPP_PORT', undefined)
    expect(readConfig().ocppPort).toBeUndefined()
    vi.stubEnv('OCPP_PORT', '7016')
    expect(readConfig().ocppPort).toBe(7016)
  })

  it('accepts unauthenticated devices from private networks only', () => {
    vi.stubEnv('DEVICE_NETWORKS', undefined)
    const guard = new AddressGuard(readConfig().deviceNetworks, 10)
    const addresses = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', 'fd00::1', '8.8.8.8', '172.32.0.1']
    const open = [...addresses, '100.64.0.1', '2001:db8::1', '', 'x'].filter((address) => guard.open(address))
    expect(open).toEqual(addresses.slice(0, 6))
    expect(guard.open(plainAddress('::ffff:10.0.0.1'))).toBe(true)
    expect(guard.open(plainAddress('::ffff:8.8.8.8'))).toBe(false)
  })

  it('does not start with invalid networks', () => {
    for (const text of [
      '',
      '10.0.0.0',
      '10.0.0.0/33',
      '10.0.0.0/',
      'all',
      '*',
      '10.0.0.0/8,',
      '::/129',
      '10.0.0.0/8;::1/128',
    ])
      expect(() => parseNetworks(text), text).toThrow('CIDR')
    expect(parseNetworks('0.0.0.0/0').check('8.8.8.8')).toBe(true)
  })
})
