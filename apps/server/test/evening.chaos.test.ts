import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { EveningResult } from '../../../bench/evening.ts'

/** In a process of its own, on engines of its own. */
async function evening(env: Record<string, string>): Promise<EveningResult> {
  const script = new URL('../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'evening'], {
    env: { ...process.env, ...env },
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as EveningResult
}

describe('an evening of 600 orders at 200 ports of four protocols', { timeout: 240_000 }, () => {
  it('ends every order, sends what cannot be to a person and nothing else, and has every fen where it belongs', async () => {
    const result = await evening({
      EVENING_PORTS: '200',
      EVENING_ORDERS: '600',
      EVENING_PER_SECOND: '20',
      EVENING_CHARGE_MS: '7000',
      EVENING_LATE_STARTS: '0.05',
      EVENING_HURRIED: '1',
    })
    expect(result).toMatchObject({ orders: 600, missing: 0, invented: 0, hanging: 0, open: 0 })
    expect(result).toMatchObject({ unseen: 0, unexpected: 0, wrong: 0, wallets: 0, breaks: 0 })
    const { billed, released, review, injected } = result
    expect(billed + released + review).toBe(600)
    expect(billed).toBeGreaterThan(400)
    expect(released).toBeGreaterThan(0)
    // What was to go wrong did: else this would prove nothing.
    const names = ['wrongMeter', 'backwards', 'zeroBaseline', 'lateStart', 'lateBill', 'repeatBill', 'offline'] as const
    expect(names.filter((name) => (injected[name] ?? 0) === 0)).toEqual([])
  })
})
