import { PgBoss } from 'pg-boss'
import type pg from 'pg'
import { createPool } from '../db/db.ts'

/** Every durable job: the name of its queue and its payload. */
type Jobs = {
  'sms.send': { messageId: string }
  housekeeping: object
  'audit.prove': object
  'heads.publish': object
  'heads.prove': object
  'ledger.prove': object
  'gift.expire': object
  'pass.earn': object
  'statistics.prove': object
  'files.remove': { objectKey: string }
  'batch.run': { jobId: string }
  'export.run': { downloadId: string }
  'baseService.refresh': object
  'alipay.exchange': { attemptId: string }
  'device.replay': { letterId: string }
  'qrCode.generate': { batchId: string }
  'device.cut': { deviceIds: string[] }
  'tariff.lab': { labId: string }
  'recon.run': { runId: string }
  'recon.morning': object
}
const queue = { retryLimit: 5, retryDelay: 2, retryBackoff: true, heartbeatSeconds: 10, expireInSeconds: 60 }
// The heartbeat shows that a long job is alive. The expiry only ends a job that hangs.
const longQueue = { ...queue, expireInSeconds: 6 * 3600, retryLimit: 20, retryBackoff: false }
// A job that works in slices stops by itself after an hour and continues with its next run.
const sliceQueue = { ...queue, expireInSeconds: 2 * 3600 }
const queues: Record<keyof Jobs, typeof queue> = {
  'sms.send': queue,
  housekeeping: sliceQueue,
  'audit.prove': sliceQueue,
  'heads.publish': queue,
  'heads.prove': sliceQueue,
  'ledger.prove': sliceQueue,
  'gift.expire': sliceQueue,
  'pass.earn': sliceQueue,
  'statistics.prove': { ...queue, expireInSeconds: 3600 },
  'files.remove': queue,
  'baseService.refresh': queue,
  'alipay.exchange': queue,
  'device.replay': queue,
  'device.cut': queue,
  'qrCode.generate': longQueue,
  'batch.run': longQueue,
  'export.run': longQueue,
  'tariff.lab': longQueue,
  'recon.run': longQueue,
  'recon.morning': queue,
}

const on = (pool: pg.Pool) => ({
  executeSql: (text: string, values: unknown[] = []) => patientQuery(pool, text, values),
})

/** Each try waits for a connection up to the timeout of the pool. */
const connectTries = 6
/** A worker that starts on a busy database has to wait. A statement without a connection was never sent, so a retry is safe. */
async function patientQuery(pool: pg.Pool, text: string, values: unknown[]) {
  for (let tries = 1; ; tries++) {
    try {
      return await pool.query(text, values)
    } catch (error) {
      const isUnsent = error instanceof Error && error.message === 'timeout exceeded when trying to connect'
      if (!isUnsent || tries === connectTries) throw error
    }
  }
}

/** The worker's side: consumes jobs and runs the schedule. Creates missing queues. */
export async function startJobs(pool: pg.Pool, onError: (error: Error) => void): Promise<PgBoss> {
  // Jobs of a crashed worker are detected within seconds. The default would be a minute.
  const watch = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 }
  const boss = new PgBoss({ db: on(pool), schema: 'pgboss', createSchema: false, ...watch })
  boss.on('error', onError)
  await boss.start()
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, options)
    // createQueue does not change the limits of an existing queue.
    await boss.updateQueue(name, options)
  }
  return boss
}

/** Runs once at setup, so that the api can enqueue before the first worker has started. */
export async function installJobs(workerUrl: string): Promise<void> {
  const pool = createPool(workerUrl, 1)
  const boss = await startJobs(pool, (error) => {
    throw error
  })
  await boss.stop({ graceful: false })
  await pool.end()
}

/** The api's side: only enqueues, on the api's own connections. */
export async function startJobClient(pool: pg.Pool, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({ db: on(pool), schema: 'pgboss', supervise: false, schedule: false, migrate: false })
  boss.on('error', onError)
  await boss.start()
  return boss
}

/** `afterS`: delay in seconds before the job may start. */
export type Enqueue = <N extends keyof Jobs>(name: N, data: Jobs[N], afterS?: number) => Promise<void>

/** Enqueues in the caller's transaction. pg-boss returns null instead of throwing when it rejects a job; that is a fault. */
export const enqueueOn =
  (boss: PgBoss, client: pg.PoolClient): Enqueue =>
  async (name, data, afterS = 0) => {
    const executeSql = (text: string, values: unknown[] = []) => client.query(text, values)
    const id = await boss.send(name, data, { db: { executeSql }, startAfter: afterS })
    if (id === null) throw new Error(`job ${name} was rejected`)
  }
