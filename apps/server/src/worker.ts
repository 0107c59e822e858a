import type { NatsConnection } from '@nats-io/transport-node'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { planMorning, type ReconWorld, runRecon } from './accounting/reconciliation/reconciliation.jobs.ts'
import { AlipayOpen } from './alipay/alipay-open.ts'
import { batchKinds, listExports } from './bulk.ts'
import { advanceOrders } from './charging/advance.jobs.ts'
import { answerSwipes } from './charging/card.jobs.ts'
import { answerTariffs, keepTariffs } from './charging/tariff-push.jobs.ts'
import { watchMoney } from './charging/watch-money.jobs.ts'
import { answerCharges } from './devices/charges.jobs.ts'
import { watchCommandBatches } from './devices/command-batches.jobs.ts'
import { startDispatch } from './devices/dispatch.jobs.ts'
import { watchAlarms } from './devices/alarm.jobs.ts'
import { answerIdentities } from './devices/identify.jobs.ts'
import { startIngest } from './devices/ingest-consumer.jobs.ts'
import { replayLetter } from './devices/replay.jobs.ts'
import { answerRevocations, cutDevices } from './devices/revocation.jobs.ts'
import { watchSilence } from './devices/silence.jobs.ts'
import { runBatch } from './kit/batch.ts'
import { connectBus, openLiveStream } from './kit/bus.ts'
import { CodeSigner } from './kit/code-signer.ts'
import type { Config } from './kit/config.ts'
import { createPool } from './kit/db.ts'
import { openDeviceCa } from './kit/device-ca.ts'
import { runExport } from './kit/exports.ts'
import { Files } from './kit/files.ts'
import { startJobs } from './kit/jobs.ts'
import { startRelay } from './kit/relay.ts'
import { Vault } from './kit/vault.ts'
import { payHooks } from './payments.ts'
import { Merchants } from './pay/merchants.ts'
import { movePayments } from './pay/pay.jobs.ts'
import { proveLedger, sealLedger } from './ledger/ledger.jobs.ts'
import { watchReplays } from './product/message-replay/message-replay.jobs.ts'
import { removeOldLabs, runLab } from './product/tariff-lab/tariff-lab.jobs.ts'
import { exchangeCode } from './session/alipay-auth/alipay-auth.jobs.ts'
import { removeStrayPictures } from './session/file/file.jobs.ts'
import { housekeeping, proveAudit } from './session/housekeeping.jobs.ts'
import { AliyunSms } from './sms/aliyun-sms.ts'
import { sendSms } from './sms/sms.jobs.ts'
import { foldStatistics, proveStatistics } from './statistics/statistics.jobs.ts'
import { removeOldJobs } from './system/batch/batch.jobs.ts'
import { refreshBaseServices, refreshDeviceServices } from './system/base-service/base-service.jobs.ts'
import { expireDownloads } from './system/download/download.jobs.ts'
import { generateCodes } from './system/qr-code-manage/qr-code-manage.jobs.ts'

/** Everything that happens without a request: relaying the outbox, sending messages, keeping house. */
export async function startWorker(config: Config, log: Logger) {
  const pool = createPool(config.workerDatabaseUrl, config.poolSize)
  const boss = await startJobs(config.workerDatabaseUrl, (error) => log.error({ err: error }, 'jobs'))
  // Text messages and housekeeping do not wait for the bus; what is to be relayed waits in the outbox.
  let relaying = false
  let stopRelay = () => Promise.resolve()
  const relay = connectBus(config.natsUrl).then(async (bus) => {
    const stream = await openLiveStream(bus, config.prefix)
    const stop = startRelay(pool, config.workerDatabaseUrl, stream, config.prefix, log)
    const stopDevices = await startDevices(pool, bus, config, log)
    await boss.work<{ deviceIds: string[] }>('device.cut', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
      if (job !== undefined) await told(log, () => cutDevices(pool, bus, config.prefix, job.data.deviceIds))
    })
    relaying = true
    stopRelay = async () => {
      await stopDevices()
      await stop()
      await bus.close()
    }
    for await (const { type } of bus.status()) {
      if (type === 'disconnect' || type === 'reconnect') relaying = type === 'reconnect'
    }
  })
  relay.catch((error: unknown) => log.error({ err: error }, 'relay'))
  const sms = new AliyunSms(config.sms)
  const files = new Files(config.files)

  const stopAlarms = watchAlarms(pool, boss, log)
  const stopSealing = sealLedger(pool, log)
  const stopAdvancing = advanceOrders(pool, config.workerDatabaseUrl, log)
  const stopTariffs = keepTariffs(pool, log)
  const stopWatchingMoney = watchMoney(pool, log)
  const stopFolding = foldStatistics(pool, log)
  const vault = new Vault(config.secretKeys)
  const merchants = new Merchants(vault, config.pay)
  const stopPaying = movePayments({ pool, url: config.workerDatabaseUrl, log, merchants, hooks: payHooks })
  await startRecon(boss, { pool, log, merchants })
  await boss.work<{ messageId: string }>('sms.send', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await sendSms(pool, sms, job.data.messageId)
  })
  await boss.work('housekeeping', async () => {
    await housekeeping(pool)
    await removeStrayPictures(pool, boss, log)
    await expireDownloads(pool, boss)
    await removeOldJobs(pool)
    await removeOldLabs(pool)
  })
  await boss.work<{ objectKey: string }>('files.remove', { batchSize: 20 }, async (jobs) => {
    for (const { data } of jobs) await files.remove(data.objectKey)
  })
  await boss.work<{ jobId: string }>('batch.run', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await told(log, () => runBatch(pool, batchKinds, log, job.data.jobId))
  })
  await boss.work<{ labId: string }>('tariff.lab', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await told(log, () => runLab(pool, log, job.data.labId))
  })
  await boss.work<{ downloadId: string }>('export.run', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await told(log, () => runExport({ pool, files, log }, listExports, job.data.downloadId))
  })
  await boss.work<{ letterId: string }>('device.replay', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await replayLetter(pool, job.data.letterId)
  })
  const signer = new CodeSigner({ ...config.codes, secretKeys: config.secretKeys })
  await boss.work<{ batchId: string }>('qrCode.generate', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await told(log, () => generateCodes(pool, signer, job.data.batchId))
  })
  if (config.alipay.appId !== '') {
    const alipay = new AlipayOpen(config.alipay)
    await boss.work<{ attemptId: string }>('alipay.exchange', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
      if (job !== undefined) await exchangeCode(pool, vault, alipay, job.data.attemptId)
    })
  }
  await boss.work('baseService.refresh', async () => {
    await refreshBaseServices(pool)
    await refreshDeviceServices(pool)
  })
  // A minute after every hour: a new day begins with its statuses.
  await boss.schedule('baseService.refresh', '1 * * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.work('audit.prove', () => proveAudit(pool, log))
  await boss.work('ledger.prove', () => proveLedger(pool, log))
  await boss.work('statistics.prove', () => proveStatistics(pool, log))
  await boss.schedule('housekeeping', '17 * * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('audit.prove', '40 3 * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('ledger.prove', '10 4 * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('statistics.prove', '40 4 * * *', {}, { tz: 'Asia/Shanghai' })

  return {
    ready: async () => ({
      postgres: await pool.query('select 1').then(
        () => true,
        () => false,
      ),
      bus: relaying,
    }),
    files,
    async stop() {
      stopAlarms()
      stopSealing()
      await stopAdvancing()
      await stopTariffs()
      await stopWatchingMoney()
      await stopFolding()
      await stopPaying()
      await stopRelay()
      await boss.stop({ graceful: true, timeout: 15_000 })
      files.close()
      await pool.end()
    },
  }
}

/** Each morning at ten, when providers have made their bills, and whenever somebody asks. */
async function startRecon(boss: PgBoss, world: Omit<ReconWorld, 'send'>): Promise<void> {
  const send = async (runId: string, startAfter: number) =>
    void (await boss.send('recon.run', { runId }, { startAfter }))
  await boss.work<{ runId: string }>('recon.run', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await told(world.log, () => runRecon({ ...world, send }, job.data.runId))
  })
  await boss.work('recon.morning', () => planMorning({ ...world, send }))
  await boss.schedule('recon.morning', '0 10 * * *', {}, { tz: 'Asia/Shanghai' })
}

/** What devices say comes in, and silence is noticed. */
async function startDevices(pool: pg.Pool, bus: NatsConnection, config: Config, log: Logger) {
  const { prefix } = config
  const stopIngest = await startIngest(pool, bus, config, log)
  const stopIdentities = answerIdentities(pool, bus, prefix, log)
  const stopCharges = answerCharges(pool, bus, prefix, log)
  const stopTariffs = answerTariffs(pool, bus, prefix, log)
  const stopSwipes = answerSwipes(pool, bus, prefix, log)
  const stopSilence = watchSilence(pool, bus, prefix, log)
  const stopDispatch = startDispatch(pool, config.workerDatabaseUrl, bus, prefix, log)
  const stopBatches = watchCommandBatches(pool, log)
  const stopRevocations = answerRevocations(pool, bus, { prefix, ca: openDeviceCa(config.deviceCa), log })
  const stopReplays = watchReplays({ pool, bus, prefix, secretKeys: config.secretKeys, log })
  return async () => {
    await stopReplays()
    stopRevocations()
    stopBatches()
    await stopDispatch()
    stopSilence()
    stopIdentities()
    stopCharges()
    stopTariffs()
    stopSwipes()
    await stopIngest()
  }
}

/** pg-boss keeps the error of a job and tries again; somebody should hear of it, too. */
async function told(log: Logger, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    log.error({ err: error }, 'a job failed and will be tried again')
    throw error
  })
}
