import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ChaosResult } from '../../../bench/chaos.ts'

/** In a process of its own, on engines of its own: they are killed. */
async function chaos(env: Record<string, string>): Promise<ChaosResult> {
  const script = new URL('../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'chaos'], { env: { ...process.env, ...env } })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as ChaosResult
}

describe('500 devices that settle charges while their platform is killed', { timeout: 240_000 }, () => {
  it('lose nothing that was acknowledged, and nothing is there twice', async () => {
    const result = await chaos({ CHAOS_DEVICES: '500', CHAOS_ROUNDS: '4' })
    expect(result).toMatchObject({
      kills: ['stream, then gateway', 'worker', 'database', 'broker'],
      lost: 0,
      twice: 0,
      invented: 0,
      unacked: 0,
    })
    expect(result.acked).toBeGreaterThan(1000)
    expect([result.made, result.stored]).toEqual([result.acked, result.acked])
  })

  it('would lose some if the gateway answered before the commit, so the proof can fail', async () => {
    const result = await chaos({ CHAOS_DEVICES: '200', CHAOS_ROUNDS: '1', CHAOS_CONTROL: '1' })
    expect(result.lost).toBeGreaterThan(0)
  })
})
