import { type ErrorLog, runJob } from './job-metrics.ts'
import { watchLoop } from '../ops/loop-watch.ts'

type Setting = {
  /** What it does, as its log lines say. */
  name: string
  everyMs: number
  /** One round; true when the next may follow at once. */
  round: () => Promise<unknown>
  /** How long a round may take, where that is more than a minute, before the process counts as stuck. */
  limitMs?: number
  log: ErrorLog
}

/**
 * Does something again and again: one round after the other, never two at once, a pause between them. A round that
 * fails is logged, counted and tried again after the pause. The function that is returned ends it and waits for the last round.
 */
export function startEvery({ name, everyMs, round, limitMs = 60_000, log }: Setting): () => Promise<void> {
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
