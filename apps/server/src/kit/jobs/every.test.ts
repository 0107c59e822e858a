import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startPeriodicJob } from './every.ts'

const log = { error: () => undefined }
const longMs = 3_600_000

it('runs the next round at once while there is more work, and waits for the last round on stop', async () => {
  let rounds = 0
  let atOnce = 0
  let most = 0
  const round = async () => {
    most = Math.max(most, ++atOnce)
    await sleep(1)
    atOnce--
    return ++rounds < 5
  }
  const stop = startPeriodicJob({ name: 'test', everyMs: longMs, round, log })
  await expect.poll(() => rounds).toBe(5)
  await stop()
  expect({ rounds, atOnce, most }).toEqual({ rounds: 5, atOnce: 0, most: 1 })
})

it('logs a failed round and retries it after the pause', async () => {
  const errors: unknown[] = []
  let rounds = 0
  const round = () => (++rounds === 1 ? Promise.reject(new Error('once')) : Promise.resolve(false))
  const stop = startPeriodicJob({
    name: 'test',
    everyMs: 1,
    round,
    log: { error: (fields) => void errors.push(fields) },
  })
  await expect.poll(() => rounds).toBeGreaterThan(1)
  await stop()
  expect(errors).toMatchObject([{ job: 'test', err: { message: 'once' } }])
})

it('stops in the middle of a backlog', async () => {
  let rounds = 0
  const stop = startPeriodicJob({ name: 'test', everyMs: longMs, round: async () => ++rounds > 0, log })
  await stop()
  const before = rounds
  await sleep(10)
  expect(rounds).toBe(before)
})
