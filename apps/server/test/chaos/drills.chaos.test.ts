import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { DrillsResult } from '../../../../bench/soak/drills.ts'
import { atTier } from '../../../../tools/check/tier.ts'

/** A separate process with its own engines, because the run kills them. */
async function drill(env: Record<string, string>, signal: AbortSignal): Promise<DrillsResult> {
  const script = new URL('../../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'drills'], {
    env: { ...process.env, ...env },
    signal,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as DrillsResult
}

const drills = ['postgres gone without a word', 'nats wiped', 'nats gone without a word']
const size = atTier({ devices: 40, outageMs: 2000, copies: 1 }, { devices: 200, outageMs: 10_000, copies: 2 })

describe('outages and empty restarts of the engines', { timeout: 600_000 }, () => {
  it('need no restart of the processes, and lose no request, outbox row, device message or charge', async ({
    signal,
  }) => {
    const env = {
      DRILLS: drills.join(','),
      DRILL_DEVICES: String(size.devices),
      DRILL_OUTAGE_MS: String(size.outageMs),
      DRILL_COPIES: String(size.copies),
    }
    const result = await drill(env, signal)
    expect(result).toMatchObject({ lost: 0, twice: 0, unacked: 0, auditBreaks: 0, died: 0, stuck: 0 })
    expect(result.charges).toMatchObject({ hanging: 0, missing: 0, invented: 0, wrong: 0, wallets: 0, breaks: 0 })
    expect(result.charges.billed).toBeGreaterThan(0)
    expect(result.moved.map((one) => one.drill)).toEqual(drills)
    expect(result.records).toBeGreaterThan(size.devices)
  })
})
