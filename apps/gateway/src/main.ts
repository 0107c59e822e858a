import { createServer } from 'node:http'
import { pino } from 'pino'
import { collectDefaultMetrics, register } from 'prom-client'
import { readConfig } from './config.ts'
import { startGateway } from './gateway.ts'

collectDefaultMetrics()
const config = readConfig()
const log = pino({ level: config.logLevel })
const gateway = await startGateway(config, log, () => {
  log.fatal('another gateway has our number: messages of both could be taken for one')
  process.exit(1)
})
const admin = createServer((request, response) => {
  if (request.url === '/metrics') void register.metrics().then((text) => response.end(text))
  else response.writeHead(request.url === '/ready' && !gateway.ready() ? 503 : 200).end('{}')
}).listen(config.adminPort, config.host)
log.info(
  { number: gateway.number, dnyPort: gateway.dnyPort, ocppPort: gateway.ocppPort, ykcPort: gateway.ykcPort },
  'gateway started',
)

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), 20_000).unref()
  await gateway.stop()
  admin.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
