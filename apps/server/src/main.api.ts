import { setTimeout as sleep } from 'node:timers/promises'
import { buildApi } from './app/api.ts'
import { startAdminServer } from './kit/ops/admin-server.ts'
import { isExposed, readConfig } from './kit/ops/config.ts'
import { fillPool } from './kit/db/db.ts'
import { refuseDemoAccounts, refuseUnsafeSettings } from './kit/ops/exposure.ts'
import { startTelemetry } from './kit/ops/telemetry.ts'

const config = readConfig()
refuseUnsafeSettings(config, 'api')
const stopTelemetry = await startTelemetry('wattdeck-api')
const { app, deps, ready, drain } = await buildApi(config)
if (isExposed(config)) await refuseDemoAccounts(deps.pool)
await fillPool(deps.pool)
await app.listen({ port: config.apiPort, host: config.host })
let closing = false
const admin = await startAdminServer(
  config.apiAdminPort,
  config.adminHost,
  async () => ({ ...(await ready()), serving: !closing }),
  async () => ({ files: await deps.files.ready() }),
)

// Graceful shutdown of at most 20 seconds. SIGKILL loses no data either, but it cuts open requests.
async function stop() {
  if (closing) return
  closing = true
  setTimeout(() => process.exit(1), 20_000).unref()
  // A request in flight on a connection that closes gets no reply. For one second every reply ends its connection; the
  // connections that remain open were idle for that long.
  drain()
  await sleep(1000)
  await app.close()
  await stopTelemetry?.()
  admin.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
