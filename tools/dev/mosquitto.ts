import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceCa } from '../ops/device-ca.ts'

const deploy = resolve(import.meta.dirname, '../../deploy')

export type BrokerPlan = { ca: DeviceCa; devicePort: number; gatewayPort: number; sysIntervalS?: number }

/** The broker of MQTT devices as a child of this process, with the configuration of production. */
export async function startBroker({ ca, devicePort, gatewayPort, sysIntervalS = 10 }: BrokerPlan) {
  const file = join(ca.folder, `mosquitto-${devicePort}.conf`)
  mkdirSync(ca.folder, { recursive: true })
  const values: Record<string, string | number> = {
    MQTT_USER: userInfo().username,
    MQTT_DEVICE_HOST: '127.0.0.1',
    MQTT_DEVICE_PORT: devicePort,
    MQTT_GATEWAY_HOST: '127.0.0.1',
    MQTT_GATEWAY_PORT: gatewayPort,
    MQTT_MAX_DEVICES: 20_000,
    MQTT_SYS_INTERVAL: sysIntervalS,
    MQTT_CERTS: resolve(ca.folder),
    MQTT_ACL: deploy,
  }
  const template = readFileSync(join(deploy, 'mosquitto.conf'), 'utf8')
  writeFileSync(
    file,
    template.replaceAll(/\$\{(MQTT_\w+)\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`mosquitto.conf requires ${name}`)
      return String(value)
    }),
  )
  const pidFile = join(ca.folder, `mosquitto-${devicePort}.pid`)
  const child = spawn(process.env['MOSQUITTO'] ?? '/usr/sbin/mosquitto', ['-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  writeFileSync(pidFile, String(child.pid ?? ''))
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-10_000)
  })
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  child.once('error', (error) => {
    output += String(error)
  })
  // A test that fails halfway must not leave processes behind.
  process.once('exit', () => child.kill('SIGKILL'))
  await listening(child, [devicePort, gatewayPort], () => output)
  const end = (signal: 'SIGTERM' | 'SIGKILL') => async () => {
    child.kill(signal)
    await exited
  }
  return {
    devicePort,
    gatewayPort,
    child,
    pidFile,
    output: () => output,
    stop: end('SIGTERM'),
    /** Simulates a power failure. */
    kill: end('SIGKILL'),
  }
}

async function listening(child: ChildProcess, ports: readonly number[], output: () => string): Promise<void> {
  const end = Date.now() + 10_000
  for (const port of ports) {
    while (!(await accepts(port))) {
      if (child.exitCode !== null || child.pid === undefined || Date.now() > end) {
        child.kill('SIGKILL')
        throw new Error(`mosquitto did not start: ${output()}`)
      }
      await sleep(50)
    }
  }
}

const accepts = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
