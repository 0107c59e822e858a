import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { MoneyResult } from '../../../bench/money.ts'
import type { ControlResult } from '../../../bench/money-control.ts'

/** In a process of its own, on engines of its own: they are killed. */
async function run<T>(env: Record<string, string>, signal: AbortSignal): Promise<T> {
  const script = new URL('../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'money'], {
    env: { ...process.env, ...env },
    signal,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

// How long it takes says nothing: a provider in a bad mood makes everybody wait, and then all must be settled.
describe('20,000 movements of money by sixteen clients while everything is killed', { timeout: 1_800_000 }, () => {
  it('leave every order and payment once, every wallet right to the fen, and a ledger that proves itself', async ({
    signal,
  }) => {
    const result = await run<MoneyResult>({ MONEY_OPERATIONS: '20000', MONEY_KILLS: '25' }, signal)
    expect(result).toMatchObject({ invented: 0, missing: 0, hanging: 0, wrong: 0, wallets: 0, breaks: 0 })
    // The provider took and gave exactly what we have, and nothing is on its way.
    expect(result).toMatchObject({ wrongPayments: 0, wrongRefunds: 0, channelFen: 0, waitingFen: 0 })
    expect(result.kills).toHaveLength(25)
    expect(new Set(result.kills)).toEqual(new Set(['api', 'worker', 'database']))
    expect(result.operations).toBeGreaterThanOrEqual(20_000)
    const { billed, released, review, paid, refunds } = result
    expect([billed, released, review, paid, refunds].every((count) => count > 0)).toBe(true)
    expect(billed + released + review).toBe(result.charges)
    expect(result.moods).toBeGreaterThan(12)
  })

  it('would go wrong within 30 seconds if we looked first and took then, so the proof can fail', async ({ signal }) => {
    const { wrongFen, seconds } = await run<ControlResult>({ MONEY_CONTROL: '1' }, signal)
    expect(wrongFen).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(60)
  })
})
