import { createServer } from 'node:http'
import { pino } from 'pino'
import { startBrokerGuard } from './broker-guard.ts'
import { readConfig } from './config.ts'

const config = readConfig()
const log = pino({ level: config.logLevel })
if (config.mqtt.url === '' || config.guard.crlFile === '' || config.guard.pidFile === '')
  throw new Error('a broker guard needs MQTT_URL, BROKER_CRL and BROKER_PID_FILE')
const guard = await startBrokerGuard(config, log)
const admin = createServer((request, response) => {
  response.writeHead(request.url === '/ready' && !guard.ready() ? 503 : 200).end('{}')
}).listen(config.guard.adminPort, config.adminHost)
log.info({ crl: config.guard.crlFile }, 'broker guard started')

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), 10_000).unref()
  await guard.stop()
  admin.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
