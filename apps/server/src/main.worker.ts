import { pino } from 'pino'
import { startAdminServer } from './kit/ops/admin-server.ts'
import { readConfig } from './kit/ops/config.ts'
import { refuseUnsafeSettings } from './kit/ops/exposure.ts'
import { startTelemetry } from './kit/ops/telemetry.ts'
import { startWorker } from './app/worker.ts'

const config = readConfig()
refuseUnsafeSettings(config, 'worker')
const log = pino({ name: 'worker', level: config.logLevel })
const stopTelemetry = await startTelemetry('wattdeck-worker')
const worker = await startWorker(config, log)
const admin = await startAdminServer(config.workerAdminPort, config.adminHost, worker.ready, async () => ({
  files: await worker.files.ready(),
}))
log.info({ adminPort: config.workerAdminPort }, 'worker started')

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), 20_000).unref()
  await worker.stop()
  await stopTelemetry?.()
  admin.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
