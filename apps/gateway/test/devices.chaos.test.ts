import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ChaosResult } from '../../../bench/soak/chaos.ts'
import { atTier } from '../../../tools/check/tier.ts'

/** Runs in its own process with its own services, because the run kills them. */
async function chaos(env: Record<string, string>, signal: AbortSignal): Promise<ChaosResult> {
  const script = new URL('../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'chaos'], {
    env: { ...process.env, ...env },
    signal,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ChaosResult
}

const size = atTier({ devices: 80, control: 40 }, { devices: 500, control: 200 })

describe('devices that settle charges while parts of the platform are killed', { timeout: 600_000 }, () => {
  it('lose no acknowledged record and store none twice', async ({ signal }) => {
    const result = await chaos({ CHAOS_DEVICES: String(size.devices), CHAOS_ROUNDS: '4' }, signal)
    expect(result).toMatchObject({
      kills: ['stream, then gateway', 'worker', 'database', 'broker'],
      lost: 0,
      twice: 0,
      invented: 0,
      unacked: 0,
    })
    expect(result.acked).toBeGreaterThan(2 * size.devices)
    expect([result.made, result.stored]).toEqual([result.acked, result.acked])
  })

  it('lose records when the gateway acknowledges before the commit (control)', async ({ signal }) => {
    const env = { CHAOS_DEVICES: String(size.control), CHAOS_ROUNDS: '1', CHAOS_CONTROL: '1' }
    const result = await chaos(env, signal)
    expect(result.lost).toBeGreaterThan(0)
  })
})
