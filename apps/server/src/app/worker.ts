import type { NatsConnection } from '@nats-io/transport-node'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { planMorning, type ReconContext, runRecon } from '../features/accounting/reconciliation/reconciliation.jobs.ts'
import { AlipayOpen } from '../integrations/alipay-open.ts'
import { batchKinds, listExports } from './features.ts'
import { advanceOrders } from '../core/charging/advance.jobs.ts'
import { answerSwipes } from '../core/charging/card.jobs.ts'
import { answerTariffs, keepTariffs } from '../core/tariffs/tariff-push.jobs.ts'
import { watchMoney } from '../core/charging/watch-money.jobs.ts'
import { answerCharges } from '../core/devices/charges.jobs.ts'
import { watchCommandBatches } from '../core/devices/command-batches.jobs.ts'
import { startDispatch } from '../core/devices/dispatch.jobs.ts'
import { watchAlarms } from '../core/devices/alarms/alarm.jobs.ts'
import { answerIdentities } from '../core/devices/identify.jobs.ts'
import { isIngestBlocked, startIngest } from '../core/devices/ingest-consumer.jobs.ts'
import { ingestInto } from '../core/devices/ingest.jobs.ts'
import { replayLetter } from '../core/devices/replay.jobs.ts'
import { answerRevocations, cutDevices } from '../core/devices/revocation.jobs.ts'
import { watchSilence } from '../core/devices/silence.jobs.ts'
import { runBatch } from '../kit/bulk/batch.ts'
import { connectBus, watchBus } from '@wattdeck/bus/bus.ts'
import { serveClockRequests, startClockGuard } from '../kit/ops/clock-guard.ts'
import { CodeSigner } from '../kit/crypto/code-signer.ts'
import type { Config } from '../kit/ops/config.ts'
import { createPool } from '../kit/db/db.ts'
import { openDeviceCa } from '../kit/crypto/device-ca.ts'
import { runExport } from '../kit/bulk/exports.ts'
import { Files } from '../kit/files/files.ts'
import { runJob } from '../kit/jobs/job-metrics.ts'
import { startJobs } from '../kit/jobs/jobs.ts'
import { startPartitionUpkeep } from '../kit/jobs/partitions.jobs.ts'
import { refuseForeignLedger } from '../kit/db/own-cluster.ts'
import { measurePool } from '../kit/ops/pool-metrics.ts'
import { startProbe } from '../kit/ops/probe.ts'
import { startRelay } from '../kit/events/relay.ts'
import { Vault } from '../kit/crypto/vault.ts'
import { ingestEffects } from './ingest-effects.ts'
import { payHooks } from './payments.ts'
import { Merchants } from '../core/payments/merchants.ts'
import { movePayments } from '../core/payments/pay.jobs.ts'
import { earnPasses } from '../core/charging/pass-income.jobs.ts'
import { expireGifts } from '../core/ledger/gifts.jobs.ts'
import { proveLedger, sealLedger } from '../core/ledger/ledger.jobs.ts'
import { watchReplays } from '../features/product/message-replay/message-replay.jobs.ts'
import { removeOldLabs, runLab } from '../features/product/tariff-lab/tariff-lab.jobs.ts'
import { exchangeCode } from '../features/auth/alipay-auth/alipay-auth.jobs.ts'
import { removeStrayPictures } from '../features/auth/file/file.jobs.ts'
import { HeadSigner, publishHeads, watchHeads } from '../kit/audit/heads.ts'
import { housekeeping, proveAudit } from '../features/auth/_shared/housekeeping.jobs.ts'
import { serveSignerRequests } from './signer.jobs.ts'
import { AliyunSms } from '../integrations/aliyun-sms.ts'
import { sendSms } from '../integrations/sms.jobs.ts'
import { foldStatistics, proveStatistics } from '../core/statistics/statistics.jobs.ts'
import { removeOldJobs } from '../features/system/batch/batch.jobs.ts'
import { refreshBaseServices, refreshDeviceServices } from '../features/system/base-service/base-service.jobs.ts'
import { expireDownloads } from '../features/system/download/download.jobs.ts'
import { generateCodes } from '../features/system/qr-code-manage/qr-code-manage.jobs.ts'

/** Starts all background work: outbox relay, device messages, text messages, jobs and housekeeping. */
export async function startWorker(config: Config, log: Logger) {
  const pool = createPool(config.workerDatabaseUrl, config.poolSize, 'wattdeck-worker')
  await refuseForeignLedger(pool).catch(async (error: unknown) => {
    await pool.end()
    throw error
  })
  // Long-running jobs have a separate pool, so that they take no connections from interactive work.
  const jobPool = createPool(config.workerDatabaseUrl, config.jobPoolSize, 'wattdeck-jobs')
  measurePool('worker', pool)
  measurePool('jobs', jobPool)
  const probe = startProbe(config.workerDatabaseUrl, log)
  const partitions = startPartitionUpkeep(jobPool, log)
  const clock = startClockGuard(jobPool, log)
  const boss = await startJobs(jobPool, (error) => log.error({ err: error }, 'job queue error'))
  const vault = new Vault(config.secretKeys)
  const signerVault = new Vault([...config.signerKeys, ...config.secretKeys])
  const merchants = new Merchants(signerVault, config.pay)
  const ca = openDeviceCa(config.deviceCa)
  // Text messages and housekeeping do not need the bus; events wait in the outbox.
  let isConnected = () => false
  let stopBus = () => Promise.resolve()
  const connecting = connectBus(config.natsUrl, config.natsAccess, 'worker').then(async (bus) => {
    isConnected = watchBus(bus)
    clock.watchBus(bus, config.prefix)
    const stopRelay = startRelay(pool, config.workerDatabaseUrl, { bus, isConnected }, config.prefix, log)
    const stopDevices = startDevices(pool, bus, config, log)
    const { prefix } = config
    const stopSigner = serveSignerRequests(bus, { pool, prefix, vault: signerVault, merchants, ca, log })
    stopBus = async () => {
      stopSigner()
      await stopDevices()
      await stopRelay()
      await bus.close()
    }
    await boss.work<{ deviceIds: string[] }>('device.cut', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
      if (job !== undefined)
        await runJob(log, 'device.cut', () => cutDevices(pool, bus, config.prefix, job.data.deviceIds))
    })
  })
  connecting.catch((error: unknown) => log.fatal({ err: error }, 'NATS connection failed'))
  const sms = new AliyunSms(config.sms)
  const files = new Files(config.files)

  const stopAlarms = watchAlarms(pool, boss, log)
  const stopSealing = sealLedger(pool, log)
  const stopAdvancing = advanceOrders(pool, config.workerDatabaseUrl, log)
  const stopTariffs = keepTariffs(pool, log)
  const stopWatchingMoney = watchMoney(pool, log)
  const stopFolding = foldStatistics(pool, log)
  const stopPaying = movePayments({ pool, url: config.workerDatabaseUrl, log, merchants, hooks: payHooks })
  await startRecon(boss, { pool: jobPool, log, merchants })
  await boss.work<{ messageId: string }>('sms.send', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await runJob(log, 'sms.send', () => sendSms(pool, sms, job.data.messageId))
  })
  await boss.work('housekeeping', async () => {
    await housekeeping(jobPool, log)
    // A failed task stops no other and is retried an hour later.
    const tasks = {
      strayPictures: () => removeStrayPictures(jobPool, boss, log),
      downloads: () => expireDownloads(jobPool, boss),
      jobs: () => removeOldJobs(jobPool),
      labs: () => removeOldLabs(jobPool),
    }
    for (const [name, task] of Object.entries(tasks))
      await runJob(log, `housekeeping.${name}`, task).catch(() => undefined)
  })
  await boss.work<{ objectKey: string }>('files.remove', { batchSize: 20 }, async (jobs) => {
    await runJob(log, 'files.remove', async () => {
      for (const { data } of jobs) await files.remove(data.objectKey)
    })
  })
  await boss.work<{ jobId: string }>('batch.run', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await runJob(log, 'batch.run', () => runBatch(jobPool, batchKinds, log, job.data.jobId))
  })
  await boss.work<{ labId: string }>('tariff.lab', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await runJob(log, 'tariff.lab', () => runLab(jobPool, log, job.data.labId))
  })
  await boss.work<{ downloadId: string }>('export.run', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined)
      await runJob(log, 'export.run', () => runExport({ pool: jobPool, files, log }, listExports, job.data.downloadId))
  })
  await boss.work<{ letterId: string }>('device.replay', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined)
      await runJob(log, 'device.replay', () => replayLetter(pool, ingestInto(pool, ingestEffects), job.data.letterId))
  })
  const signer = new CodeSigner({ ...config.codes, secretKeys: config.secretKeys })
  await boss.work<{ batchId: string }>('qrCode.generate', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await runJob(log, 'qrCode.generate', () => generateCodes(jobPool, signer, job.data.batchId))
  })
  if (config.alipay.appId !== '') {
    const alipay = new AlipayOpen(config.alipay)
    await boss.work<{ attemptId: string }>('alipay.exchange', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
      if (job !== undefined)
        await runJob(log, 'alipay.exchange', () => exchangeCode(pool, vault, alipay, job.data.attemptId))
    })
  }
  await boss.work('baseService.refresh', () =>
    runJob(log, 'baseService.refresh', async () => {
      await refreshBaseServices(jobPool)
      await refreshDeviceServices(jobPool)
    }),
  )
  // One minute past every hour, so that statuses are current at the start of a day.
  await boss.schedule('baseService.refresh', '1 * * * *', {}, { tz: 'Asia/Shanghai' })
  // Three minutes past every hour, because gifts end with a day.
  await boss.work('gift.expire', () => runJob(log, 'gift.expire', () => expireGifts(jobPool)))
  await boss.schedule('gift.expire', '3 * * * *', {}, { tz: 'Asia/Shanghai' })
  // Six minutes past every hour: a pass earns the part of a day when the day has ended.
  await boss.work('pass.earn', () => runJob(log, 'pass.earn', () => earnPasses(jobPool)))
  await boss.schedule('pass.earn', '6 * * * *', {}, { tz: 'Asia/Shanghai' })
  const heads = {
    files: new Files({ ...config.files, bucket: config.headsBucket }),
    prefix: config.prefix,
    signer: new HeadSigner(config),
  }
  await boss.work('heads.publish', () => runJob(log, 'heads.publish', () => publishHeads(jobPool, heads)))
  await boss.schedule('heads.publish', '7 * * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.work('heads.prove', () => runJob(log, 'heads.prove', () => watchHeads(jobPool, log, heads)))
  await boss.schedule('heads.prove', '50 3 * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.work('audit.prove', () => runJob(log, 'audit.prove', () => proveAudit(jobPool, log)))
  await boss.work('ledger.prove', () => runJob(log, 'ledger.prove', () => proveLedger(jobPool, log)))
  await boss.work('statistics.prove', () => runJob(log, 'statistics.prove', () => proveStatistics(jobPool, log)))
  await boss.schedule('housekeeping', '17 * * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('audit.prove', '40 3 * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('ledger.prove', '10 4 * * *', {}, { tz: 'Asia/Shanghai' })
  await boss.schedule('statistics.prove', '40 4 * * *', {}, { tz: 'Asia/Shanghai' })

  return {
    ready: async () => ({
      postgres: probe.isReady(),
      bus: isConnected(),
      partitions: partitions.isReady(),
      clock: clock.isReady(),
      ingest: !isIngestBlocked(),
    }),
    files,
    async stop() {
      await stopAlarms()
      await stopSealing()
      await stopAdvancing()
      await stopTariffs()
      await stopWatchingMoney()
      await stopFolding()
      await stopPaying()
      await stopBus()
      await clock.stop()
      await partitions.stop()
      await probe.stop()
      await boss.stop({ graceful: true, timeout: 15_000 })
      files.close()
      heads.files.close()
      await Promise.all([pool.end(), jobPool.end()])
    },
  }
}

/** Runs the reconciliation at ten each morning, when providers have published their bills, and on request. */
async function startRecon(boss: PgBoss, context: Omit<ReconContext, 'send'>): Promise<void> {
  const send = async (runId: string, startAfter: number) =>
    void (await boss.send('recon.run', { runId }, { startAfter }))
  await boss.work<{ runId: string }>('recon.run', { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job !== undefined) await runJob(context.log, 'recon.run', () => runRecon({ ...context, send }, job.data.runId))
  })
  await boss.work('recon.morning', () => runJob(context.log, 'recon.morning', () => planMorning({ ...context, send })))
  await boss.schedule('recon.morning', '0 10 * * *', {}, { tz: 'Asia/Shanghai' })
}

/** Starts the processing of device messages, the replies to gateways and the detection of silent devices. */
function startDevices(pool: pg.Pool, bus: NatsConnection, config: Config, log: Logger) {
  const { prefix } = config
  const stopIngest = startIngest({ pool, ingest: ingestInto(pool, ingestEffects) }, bus, config, log)
  const stopIdentities = answerIdentities(pool, bus, prefix, log)
  const stopCharges = answerCharges(pool, bus, prefix, log)
  const stopTariffs = answerTariffs(pool, bus, prefix, log)
  const stopSwipes = answerSwipes(pool, bus, prefix, log)
  const stopSilence = watchSilence(pool, bus, prefix, log)
  const stopDispatch = startDispatch(pool, config.workerDatabaseUrl, bus, prefix, log)
  const stopBatches = watchCommandBatches(pool, log)
  const stopRevocations = answerRevocations(pool, bus, { prefix, ca: openDeviceCa(config.deviceCa), log })
  const stopReplays = watchReplays({ pool, bus, prefix, secretKeys: config.secretKeys, log })
  const stopClock = serveClockRequests(pool, bus, prefix, log)
  return async () => {
    stopClock()
    await stopReplays()
    stopRevocations()
    await stopBatches()
    await stopDispatch()
    await stopSilence()
    stopIdentities()
    stopCharges()
    stopTariffs()
    stopSwipes()
    await stopIngest()
  }
}
