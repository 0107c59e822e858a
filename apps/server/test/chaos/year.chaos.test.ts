import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { YearResult } from '../../../../bench/soak/year.ts'
import { atTier } from '../../../../tools/check/tier.ts'

/** A separate process with its own services and a clock that the run controls. */
async function runYear(env: Record<string, string>, signal: AbortSignal): Promise<YearResult> {
  const script = new URL('../../../../bench/run.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'year'], {
    env: { ...process.env, ...env },
    signal,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as YearResult
}

const days = 70
/** The gate runs the nightly jobs of every tenth day and of each first of a month. */
const jobsEvery = atTier(10, 1)
/** Every job with a pg-boss schedule. */
const nightly = [
  'audit.prove',
  'heads.publish',
  'heads.prove',
  'ledger.prove',
  'statistics.prove',
  'recon.morning',
  'housekeeping',
  'baseService.refresh',
]

describe('an installation whose clock runs through 70 days, a month end and a year end', { timeout: 1_800_000 }, () => {
  it('fails no job, always has partitions, bills by the tariff rules, and stays consistent', async ({ signal }) => {
    const result = await runYear(
      { YEAR_DAYS: String(days), YEAR_JOBS_EVERY: String(jobsEvery), YEAR_SELDOM: '1' },
      signal,
    )
    // One by one, so that a failure shows the lines.
    for (const name of ['failedJobs', 'errorLines', 'wrong', 'breaks', 'strays'] as const)
      expect(result[name], name).toEqual([])
    expect(result.days).toBe(days)
    expect(result.from).toMatch(/-11-20$/)
    // Three charges begin each evening; a member whose port is occupied leaves.
    expect(result.orders).toBeGreaterThan(2 * days)
    expect(result.recharges).toBe(days)
    expect(result.jobDays).toBeGreaterThanOrEqual(days / jobsEvery)
    for (const name of nightly) expect(result.jobs[name], name).toBe(result.jobDays)
    // The previous day is reconciled with both providers and with the orders.
    expect(result.jobs['recon.run']).toBeGreaterThan(2 * result.jobDays)
    expect(result.fewestDaysLeft).toBeGreaterThanOrEqual(7)
    // Seven past days are retained, plus today and 21 days ahead.
    expect(result.messageDays).toBe(29)
  })
})
