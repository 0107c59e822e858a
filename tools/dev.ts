import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { newSandboxKeys, sandboxEnv } from './alipay-sandbox.ts'
import { workerFlags } from '../apps/server/src/kit/worker-flags.ts'
import { openDeviceCa } from './device-ca.ts'
import { paySandboxFile } from './demo-payments.ts'
import { demoAccounts, demoPassword, demoTotpHex } from './demo-data.ts'

/**
 * Everything with hot reload: the sandboxes of text messages, files, payments and Alipay, api, worker, console, and devices with
 * their broker and gateway. Ends together. The script passes --demo on to setup.
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
const start = (name: string, args: string[], { cwd = '.', needed = true } = {}) => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk
      .toString()
      .split('\n')
      .filter((text) => text !== ''))
      console.log(`${name.padEnd(8)}| ${line}`)
  })
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

start('sms', ['--watch', 'apps/sms-sandbox/src/main.ts'])
start('files', ['tools/file-sandbox.ts'])
start('alipay', ['--watch', 'tools/alipay-sandbox.ts'])
start('pay', ['--watch', 'apps/pay-sandbox/src/main.ts'])
start('api', ['--watch', 'apps/server/src/main.api.ts'])
start('worker', [...workerFlags, '--watch', 'apps/server/src/main.worker.ts'])
start('console', ['../../node_modules/vite/bin/vite.js'], { cwd: 'apps/console' })
start('broker', ['tools/broker.ts'])
start('gateway', ['--watch', 'apps/gateway/src/main.ts'])
start('guard', ['--watch', 'apps/gateway/src/main.broker-guard.ts'])
const fleet = ['--devices', '60', '--speed', '30', '--members', '600', '--every', '60']
start('fleet', ['tools/simulate.ts', ...fleet], { needed: false })

console.log(`
  console   http://127.0.0.1:${consolePort}
  api       http://127.0.0.1:${process.env['API_PORT'] ?? '3000'}/openapi.json   health, readiness, metrics: http://127.0.0.1:${process.env['API_ADMIN_PORT'] ?? '3001'}
  sms inbox http://127.0.0.1:${process.env['SMS_SANDBOX_PORT'] ?? '3010'}/inbox          (codes, and the demo administrators' second factor)
  payments  ${paySandbox}/                (what was asked for, and a button to pay it)

  accounts, all with the password ${demoPassword}:
${demoAccounts.map((account) => `    ${account.loginName.padEnd(11)}${account.role}  ${account.name}`).join('\n')}
`)
