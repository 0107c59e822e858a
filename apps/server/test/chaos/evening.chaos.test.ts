import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { EveningResult } from '../../../../bench/soak/evening.ts'
import { atTier } from '../../../../tools/check/tier.ts'

/** A separate process with its own services. */
async function evening(
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<{ result: EveningResult; log: string }> {
  const script = new URL('../../../../bench/run.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, 'evening'], {
    env: { ...process.env, ...env },
    signal,
  })
  return { result: JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as EveningResult, log: stderr }
}

// The small run has a higher fault rate, so that every kind occurs.
const size = atTier(
  { orders: 150, ports: 100, chargeMs: 5000, faultFactor: 3, lateStarts: 0.12, billedShare: 1 / 2 },
  { orders: 600, ports: 200, chargeMs: 7000, faultFactor: 1, lateStarts: 0.05, billedShare: 2 / 3 },
)

describe('an evening of charging at ports of four protocols', { timeout: 600_000 }, () => {
  it('ends every order, sends only impossible bills to review, and accounts for every fen', async ({ signal }) => {
    // The log names each faulty order.
    const { result, log } = await evening(
      {
        EVENING_PORTS: String(size.ports),
        EVENING_ORDERS: String(size.orders),
        EVENING_PER_SECOND: '20',
        EVENING_CHARGE_MS: String(size.chargeMs),
        EVENING_LATE_STARTS: String(size.lateStarts),
        EVENING_FAULT_FACTOR: String(size.faultFactor),
        EVENING_HURRIED: '1',
      },
      signal,
    )
    expect(result, log).toMatchObject({ missing: 0, invented: 0, hanging: 0, open: 0 })
    expect(result, log).toMatchObject({ unseen: 0, unexpected: 0, wrong: 0, wallets: 0, breaks: 0 })
    const { orders, billed, released, review, injected } = result
    expect(orders).toBeGreaterThanOrEqual(size.orders)
    expect(billed + released + review).toBe(orders)
    expect(billed).toBeGreaterThan(orders * size.billedShare)
    expect(released).toBeGreaterThan(0)
    // A run without a fault of each kind proves nothing.
    const names = ['wrongMeter', 'backwards', 'zeroBaseline', 'lateStart', 'lateBill', 'repeatBill', 'offline'] as const
    expect(names.filter((name) => (injected[name] ?? 0) === 0)).toEqual([])
  })
})
