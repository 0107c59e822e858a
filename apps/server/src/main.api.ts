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

// Finish what was begun, for at most 20 seconds; kill -9 is equally safe, only less polite.
async function stop() {
  if (closing) return
  closing = true
  setTimeout(() => process.exit(1), 20_000).unref()
  // A question that is under way on an open connection when that is closed gets no answer. Whoever asks within this second
  // is answered and leaves the connection; those that stay open have not been used for as long.
  drain()
  await sleep(1000)
  await app.close()
  await stopTelemetry?.()
  admin.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
