import { buildApi } from './api.ts'
import { startAdminServer } from './kit/admin-server.ts'
import { readConfig } from './kit/config.ts'
import { startTelemetry } from './kit/telemetry.ts'

const config = readConfig()
const stopTelemetry = await startTelemetry('wattdeck-api')
const { app, deps, ready } = await buildApi(config)
await app.listen({ port: config.apiPort, host: config.host })
let closing = false
const admin = await startAdminServer(
  config.apiAdminPort,
  config.host,
  async () => ({ ...(await ready()), serving: !closing }),
  async () => ({ files: await deps.files.ready() }),
)

// Finish what was begun, for at most 20 seconds; kill -9 is equally safe, only less polite.
async function stop() {
  if (closing) return
  closing = true
  setTimeout(() => process.exit(1), 20_000).unref()
  await app.close()
  await stopTelemetry?.()
  admin.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
