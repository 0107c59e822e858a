import { PgBoss } from 'pg-boss'
import type pg from 'pg'
import { createPool } from '../db/db.ts'

/** Every durable job: the name of its queue and what it carries. */
type Jobs = {
  'sms.send': { messageId: string }
  housekeeping: object
  'audit.prove': object
  'heads.publish': object
  'heads.prove': object
  'ledger.prove': object
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
// What takes long is known to live by its heartbeat; the limit only ends what hangs.
const longQueue = { ...queue, expireInSeconds: 6 * 3600, retryLimit: 20, retryBackoff: false }
// Work in slices that ends by itself after an hour and goes on with the next run.
const sliceQueue = { ...queue, expireInSeconds: 2 * 3600 }
const queues: Record<keyof Jobs, typeof queue> = {
  'sms.send': queue,
  housekeeping: sliceQueue,
  'audit.prove': sliceQueue,
  'heads.publish': queue,
  'heads.prove': sliceQueue,
  'ledger.prove': sliceQueue,
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

/** Each try waits for a connection as long as the pool allows. */
const connectTries = 6
/** A busy database lets a worker wait at its start. A statement that got no connection was never sent, so it is repeated. */
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

/** The worker's side: takes jobs, keeps the schedule. Makes the queues where they are missing. */
export async function startJobs(pool: pg.Pool, onError: (error: Error) => void): Promise<PgBoss> {
  // Looks every few seconds for jobs whose worker has died; by default a minute would pass before another takes over.
  const watch = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 }
  const boss = new PgBoss({ db: on(pool), schema: 'pgboss', createSchema: false, ...watch })
  boss.on('error', onError)
  await boss.start()
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, options)
    // A queue that exists keeps the limits it was made with.
    await boss.updateQueue(name, options)
  }
  return boss
}

/** Once at setup, so that an api can send before the first worker has started. */
export async function installJobs(workerUrl: string): Promise<void> {
  const pool = createPool(workerUrl, 1)
  const boss = await startJobs(pool, (error) => {
    throw error
  })
  await boss.stop({ graceful: false })
  await pool.end()
}

/** The api's side: only sends, through the api's own connections. */
export async function startSender(pool: pg.Pool, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({ db: on(pool), schema: 'pgboss', supervise: false, schedule: false, migrate: false })
  boss.on('error', onError)
  await boss.start()
  return boss
}

/** `afterS`: not before so many seconds have passed. */
export type Enqueue = <N extends keyof Jobs>(name: N, data: Jobs[N], afterS?: number) => Promise<void>

/** Sends in the caller's transaction. pg-boss answers null instead of throwing when it takes nothing: that is a fault. */
export const enqueueOn =
  (boss: PgBoss, client: pg.PoolClient): Enqueue =>
  async (name, data, afterS = 0) => {
    const executeSql = (text: string, values: unknown[] = []) => client.query(text, values)
    const id = await boss.send(name, data, { db: { executeSql }, startAfter: afterS })
    if (id === null) throw new Error(`job ${name} was not taken`)
  }
