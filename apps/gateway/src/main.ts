import { createServer } from 'node:http'
import { pino } from 'pino'
import { collectDefaultMetrics, register } from 'prom-client'
import { readConfig } from './config.ts'
import { startGateway } from './gateway.ts'

collectDefaultMetrics()
const config = readConfig()
const log = pino({ name: 'gateway', level: config.logLevel })
const gateway = await startGateway(config, log, () => {
  log.fatal('gateway number is leased by another gateway')
  process.exit(1)
})
const admin = createServer((request, response) => {
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.url === '/metrics') void register.metrics().then((text) => response.end(text))
  else if (request.url === '/health') answer(200, { alive: true })
  else if (request.url !== '/ready') answer(404, {})
  else {
    const parts = gateway.ready()
    answer(Object.values(parts).every(Boolean) ? 200 : 503, { ...parts, ...gateway.beside() })
  }
}).listen(config.adminPort, config.adminHost)
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
