import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { MoneyResult } from '../../../../bench/soak/money.ts'
import type { ControlResult } from '../../../../bench/soak/money-control.ts'
import { atTier } from '../../../../tools/check/tier.ts'

/** A separate process with its own services, because the run kills them. */
async function run<T>(env: Record<string, string>, signal: AbortSignal): Promise<T> {
  const script = new URL('../../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'money'], {
    env: { ...process.env, ...env },
    signal,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

const size = atTier(
  { operations: 1000, kills: 4, hangMs: 600_000 },
  { operations: 20_000, kills: 25, hangMs: 1_800_000 },
)

describe('money movements of 16 clients while api, worker and database are killed', { timeout: size.hangMs }, () => {
  it('leave every order and payment once, every balance correct to the fen, and a consistent ledger', async ({
    signal,
  }) => {
    const { operations, kills } = size
    const env = { MONEY_OPERATIONS: String(operations), MONEY_KILLS: String(kills) }
    const result = await run<MoneyResult>(env, signal)
    expect(result).toMatchObject({ invented: 0, missing: 0, hanging: 0, wrong: 0, wallets: 0, breaks: 0 })
    // The provider's totals equal the ledger, and no payment is in transit.
    expect(result).toMatchObject({ wrongPayments: 0, wrongRefunds: 0, channelFen: 0, waitingFen: 0 })
    expect(result.kills).toHaveLength(kills)
    expect(new Set(result.kills)).toEqual(new Set(['api', 'worker', 'database']))
    expect(result.operations).toBeGreaterThanOrEqual(operations)
    const { billed, released, review, paid, refunds } = result
    expect([billed, released, review, paid, refunds].every((count) => count > 0)).toBe(true)
    expect(billed + released + review).toBe(result.charges)
    expect(result.unmetFaults).toEqual([])
  })

  it('fail when a client reads the balance before it posts, so the proof can fail', async ({ signal }) => {
    const { wrongFen, negative } = await run<ControlResult>({ MONEY_CONTROL: '1' }, signal)
    expect(wrongFen).toBeGreaterThan(0)
    expect(negative).toBeGreaterThan(0)
  })
})
