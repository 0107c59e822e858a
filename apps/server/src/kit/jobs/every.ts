import { type ErrorLog, runJob } from './job-metrics.ts'
import { watchLoop } from '../ops/loop-watch.ts'

type Setting = {
  /** Name of the job in its log lines and metrics. */
  name: string
  everyMs: number
  /** One round. Resolves to true when the next may follow at once. */
  round: () => Promise<unknown>
  /** Longest duration of a round before the process counts as stuck. Default: one minute. */
  limitMs?: number
  log: ErrorLog
}

/**
 * Runs a job periodically. Rounds never overlap and are separated by a pause. A failed round is logged, counted and retried
 * after the pause. The returned function stops the job and waits for the current round.
 */
export function startPeriodicJob({ name, everyMs, round, limitMs = 60_000, log }: Setting): () => Promise<void> {
  let stopped = false
  let resume: () => void = () => undefined
  const watched = watchLoop(name, everyMs + limitMs)
  const running = (async () => {
    while (!stopped) {
      watched.turn()
      const more = await runJob(log, name, round).catch(() => false)
      if (more === true || stopped) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs)
        resume = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  })()
  return async () => {
    stopped = true
    resume()
    await running
    watched.end()
  }
}
