import { describe, expect, it } from 'vitest'
import { likelySwap, type NearbyPort, swapWindowMs } from '../src/code-swap.ts'

const now = 1_800_000_000_000
const port = (deviceId: string, more: Partial<NearbyPort> = {}): NearbyPort => ({
  deviceId,
  portNo: 1,
  connected: true,
  sinceMs: now - 60_000,
  ...more,
})

describe('a code whose device reports no plug', () => {
  it('is probably stuck on the one other device with a plug connected just now', () => {
    const free = port('3', { connected: false })
    expect(likelySwap([port('2', { portNo: 4 }), free], now)).toEqual({ deviceId: '2', portNo: 4 })
  })

  it('gives no result when no other plug was connected, or too long ago', () => {
    expect(likelySwap([], now)).toBeUndefined()
    expect(likelySwap([port('2', { connected: false })], now)).toBeUndefined()
    expect(likelySwap([port('2', { sinceMs: now - swapWindowMs - 1 })], now)).toBeUndefined()
    expect(likelySwap([port('2', { sinceMs: now - swapWindowMs })], now)).toBeDefined()
  })

  it('gives no result with two candidates', () => {
    expect(likelySwap([port('2'), port('3')], now)).toBeUndefined()
    // An older plug at a third device is ignored.
    expect(likelySwap([port('2'), port('3', { sinceMs: 0 })], now)).toMatchObject({ deviceId: '2' })
  })

  it('names the port with the latest plug', () => {
    const ports = [port('2', { portNo: 1, sinceMs: now - 90_000 }), port('2', { portNo: 2, sinceMs: now - 5000 })]
    expect(likelySwap(ports, now)).toEqual({ deviceId: '2', portNo: 2 })
  })
})
