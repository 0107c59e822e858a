import type { Logger } from 'pino'
import { connectBus, openLiveStream } from './kit/bus.ts'
import type { Config } from './kit/config.ts'
import { createPool } from './kit/db.ts'
import { startJobs } from './kit/jobs.ts'
import { startRelay } from './kit/relay.ts'
import { housekeeping, proveAudit } from './session/housekeeping.jobs.ts'
import { AliyunSms } from './sms/aliyun-sms.ts'
import { sendSms } from './sms/sms.jobs.ts'

/** Everything that happens without a request: relaying the outbox, sending messages, keeping house. */
export async function startWorker(config: Config, log: Logger) {
  const pool = createPool(config.workerDatabaseUrl, config.poolSize)
  const boss = await startJobs(config.workerDatabaseUrl, (error) => log.error({ err: error }, 'jobs'))
  // Text messages and housekeeping do not wait for the bus; what is to be relayed waits in the outbox.
  let relaying = false
  let stopRelay = () => Promise.resolve()
  const relay = connectBus(config.natsUrl).then(async (bus) => {
    const stream = await openLiveStream(bus, config.prefix)
    const stop = await startRelay(pool, config.workerDatabaseUrl, stream, config.prefix, log)
    relaying = true
    stopRelay = async () => {
      await stop()
      await bus.close()
    }
    for await (const { type } of bus.status()) {
      if (type === 'disconnect' || type === 'reconnect') relaying = type === 'reconnect'
    }
  })
  relay.catch((error: unknown) => log.error({ err: error }, 'relay'))
  const sms = new AliyunSms(config.sms)

  await boss.work<{ messageId: string }>('sms.send', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await sendSms(pool, sms, job.data.messageId)
  })
  await boss.work('housekeeping', () => housekeeping(pool))
  await boss.work('audit.prove', () => proveAudit(pool, log))
  await boss.schedule('housekeeping', '17 * * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('audit.prove', '40 3 * * *', {}, { tz: 'Asia/Shanghai' })

  return {
    ready: async () => ({
      postgres: await pool.query('select 1').then(
        () => true,
        () => false,
      ),
      bus: relaying,
    }),
    async stop() {
      await stopRelay()
      await boss.stop({ graceful: true, timeout: 15_000 })
      await pool.end()
    },
  }
}
