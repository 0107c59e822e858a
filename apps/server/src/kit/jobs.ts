import { PgBoss } from 'pg-boss'
import type pg from 'pg'

/** Every durable job: the name of its queue and what it carries. */
type Jobs = { 'sms.send': { messageId: string }; housekeeping: object; 'audit.prove': object }
const names: (keyof Jobs)[] = ['sms.send', 'housekeeping', 'audit.prove']

const queue = { retryLimit: 5, retryDelay: 2, retryBackoff: true, heartbeatSeconds: 10, expireInSeconds: 60 }

/** The worker's side: takes jobs, keeps the schedule. Makes the schema and the queues where they are missing. */
export async function startJobs(connectionString: string, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString, schema: 'pgboss', createSchema: false, max: 4 })
  boss.on('error', onError)
  await boss.start()
  for (const name of names) await boss.createQueue(name, queue)
  return boss
}

/** Once at setup, so that an api can send before the first worker has started. */
export async function installJobs(workerUrl: string): Promise<void> {
  const boss = await startJobs(workerUrl, (error) => {
    throw error
  })
  await boss.stop({ graceful: false })
}

/** The api's side: only sends, through the api's own connections. */
export async function startSender(pool: pg.Pool, onError: (error: Error) => void): Promise<PgBoss> {
  const executeSql = (text: string, values: unknown[] = []) => pool.query(text, values)
  const boss = new PgBoss({ db: { executeSql }, schema: 'pgboss', supervise: false, schedule: false, migrate: false })
  boss.on('error', onError)
  await boss.start()
  return boss
}

export type Enqueue = <N extends keyof Jobs>(name: N, data: Jobs[N]) => Promise<void>

/** Sends in the caller's transaction. pg-boss answers null instead of throwing when it takes nothing: that is a fault. */
export const enqueueOn =
  (boss: PgBoss, client: pg.PoolClient): Enqueue =>
  async (name, data) => {
    const executeSql = (text: string, values: unknown[] = []) => client.query(text, values)
    const id = await boss.send(name, data, { db: { executeSql } })
    if (id === null) throw new Error(`job ${name} was not taken`)
  }
