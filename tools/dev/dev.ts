import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { prettyFactory } from 'pino-pretty'
import { newSandboxKeys, sandboxEnv } from './alipay-sandbox.ts'
import { workerFlags } from '../../apps/server/src/kit/ops/worker-flags.ts'
import { openDeviceCa } from '../ops/device-ca.ts'
import { city } from '../demo/demo-city.ts'
import { paySandboxFile } from '../demo/demo-payments.ts'
import { demoAccounts, demoPassword, demoTotpHex } from '../demo/demo-people.ts'

/**
 * Everything with hot reload: the sandboxes of text messages, files, payments and Alipay, api, worker, console, and
 * devices with their broker and gateway. Each starts when its dependencies answer, and all end together. The script
 * passes --demo to setup.
 */
await import('./setup.ts')

const consolePort = process.env['CONSOLE_PORT'] ?? '5173'
const alipayPort = process.env['ALIPAY_SANDBOX_PORT'] ?? '3011'
const brokerPort = Number(process.env['MQTT_GATEWAY_PORT'] ?? '8884')
const alipayKeys = newSandboxKeys()
const paySandbox = `http://127.0.0.1:${process.env['PAY_SANDBOX_PORT'] ?? '3012'}`
const ca = openDeviceCa('.cache/device-ca')
const env = {
  CONSOLE_URL: `http://127.0.0.1:${consolePort}`,
  ...sandboxEnv(alipayKeys, `http://127.0.0.1:${alipayPort}`),
  ALIPAY_SANDBOX_KEYS: JSON.stringify(alipayKeys),
  PAY_SANDBOX_FILE: paySandboxFile,
  WECHAT_PAY_URL: paySandbox,
  ALIPAY_PAY_GATEWAY: `${paySandbox}/gateway.do`,
  PAY_NOTIFY_URL: `http://127.0.0.1:${process.env['API_PORT'] ?? '3000'}`,
  OCPP_PORT: '7016',
  ...ca.gatewayEnv(brokerPort),
  ...ca.authorityEnv,
  BROKER_CRL: ca.crlFile,
  BROKER_PID_FILE: `.cache/device-ca/mosquitto-${process.env['MQTT_DEVICE_PORT'] ?? '8883'}.pid`,
  ...process.env,
  SECRET_KEYS: /^SECRET_KEYS=(.*)$/m.exec(readFileSync('.env', 'utf8'))?.[1],
  DEMO_TOTP_HEX: demoTotpHex,
  FORCE_COLOR: '1',
}
const children: ChildProcess[] = []
const pretty = prettyFactory({
  colorize: true,
  ignore: 'pid,hostname,name',
  translateTime: 'SYS:HH:MM:ss',
  singleLine: true,
})
/** Vite, the broker and crashes write plain text. */
const readable = (line: string) => (line.startsWith('{') ? (pretty(line) ?? line).trimEnd() : line)

function print(name: string, chunk: Buffer): void {
  for (const line of chunk.toString().split('\n')) if (line !== '') console.log(`${name.padEnd(8)}| ${readable(line)}`)
}

function start(name: string, args: string[], { cwd = '.', needed = true } = {}): void {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.on('data', (chunk: Buffer) => print(name, chunk))
  child.stderr.on('data', (chunk: Buffer) => print(name, chunk))
  child.on('exit', () => (needed ? stop() : undefined))
  children.push(child)
}
let stopping = false
function stop() {
  if (stopping) return
  stopping = true
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

const portOf = (name: string, fallback: string) => process.env[name] ?? fallback
/** Waits until a port answers, and with a path until that returns 200, because the next process depends on it. */
async function answering(port: string, path?: string): Promise<void> {
  while (!stopping) {
    const isThere = path === undefined ? await listens(Number(port)) : await isOk(`http://127.0.0.1:${port}${path}`)
    if (isThere) return
    await sleep(100)
  }
}
const isOk = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

start('sms', ['--watch', 'apps/sms-sandbox/src/main.ts'])
start('files', ['tools/dev/file-sandbox.ts'])
start('alipay', ['--watch', 'tools/dev/alipay-sandbox.ts'])
start('pay', ['--watch', 'apps/pay-sandbox/src/main.ts'])
start('broker', ['tools/dev/broker.ts'])
start('console', ['../../node_modules/vite/bin/vite.js'], { cwd: 'apps/console' })
await Promise.all([portOf('SMS_SANDBOX_PORT', '3010'), alipayPort, String(brokerPort)].map((port) => answering(port)))
start('api', ['--watch', 'apps/server/src/main.api.ts'])
start('worker', [...workerFlags, '--watch', 'apps/server/src/main.worker.ts'])
await answering(portOf('WORKER_ADMIN_PORT', '3003'), '/ready')
await answering(portOf('API_ADMIN_PORT', '3001'), '/ready')
start('gateway', ['--watch', 'apps/gateway/src/main.ts'])
start('guard', ['--watch', 'apps/gateway/src/main.broker-guard.ts'])
await answering(portOf('GATEWAY_ADMIN_PORT', '3005'), '/ready')
await answering(consolePort)
const fleet = ['--devices', '60', '--speed', '30', '--members', '600', '--every', '60']
if (!stopping) start('fleet', ['tools/dev/simulate.ts', ...fleet], { needed: false })

const box = `
  console   http://127.0.0.1:${consolePort}
  api       http://127.0.0.1:${portOf('API_PORT', '3000')}/openapi.json
  metrics   http://127.0.0.1:${portOf('API_ADMIN_PORT', '3001')}/metrics   (also /health and /ready)
  sms inbox http://127.0.0.1:${portOf('SMS_SANDBOX_PORT', '3010')}/inbox   (codes, and the demo administrators' second factor)
  payments  ${paySandbox}/   (what was asked for, and a button to pay it)

  accounts, all with the password ${demoPassword}:
${[...demoAccounts, city.account].map((account) => `    ${account.loginName.padEnd(11)}${account.role}  ${account.name}`).join('\n')}
`
const line = '─'.repeat(100)
if (!stopping) console.log(`\n${line}${box}${line}`)
