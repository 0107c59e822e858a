import { Counter, Gauge, Histogram } from 'prom-client'

export type ErrorLog = { error: (fields: object, message: string) => void }

const runs = new Counter({
  name: 'job_runs_total',
  help: 'Runs of background jobs by outcome',
  labelNames: ['job', 'outcome'],
})
const lastSuccess = new Gauge({
  name: 'job_last_success_seconds',
  help: 'Unix time of the last success of a background job in this process',
  labelNames: ['job'],
})
const durations = new Histogram({
  name: 'job_duration_seconds',
  help: 'Duration of background job runs',
  labelNames: ['job'],
  buckets: [0.01, 0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 300, 1800, 7200],
})

/** Runs a background job or a round of a loop. Counts and times it, logs a failure and rethrows it. */
export async function runJob<T>(log: ErrorLog, job: string, work: () => Promise<T>): Promise<T> {
  const endTimer = durations.startTimer({ job })
  try {
    const result = await work()
    runs.inc({ job, outcome: 'success' })
    lastSuccess.set({ job }, Date.now() / 1000)
    return result
  } catch (error) {
    runs.inc({ job, outcome: 'failure' })
    log.error({ err: error, job }, 'job failed; will retry')
    throw error
  } finally {
    endTimer()
  }
}
