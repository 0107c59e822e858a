import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../src/kit/ops/config.ts'
import { workerFlags } from '../../src/kit/ops/worker-flags.ts'
import { freePort } from '../../../../tools/dev/local-services.ts'
import { hangMs } from './until.ts'

export { freePort }

type Started = {
  url: string
  admin: string
  child: ChildProcess
  stop: () => Promise<void>
  kill: () => Promise<void>
  /** The output so far. */
  output: () => string
}

const sources = fileURLToPath(new URL('../../src/', import.meta.url))

/**
 * Starts the api as a separate process on the database of a test and waits until it is ready. `from` is the source of
 * another version.
 */
export async function startApiProcess(
  config: Config,
  env: Record<string, string> = {},
  from = sources,
): Promise<Started> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const own = { API_PORT: String(port), API_ADMIN_PORT: String(adminPort), CONSOLE_URL: url }
  const started = await start('main.api.ts', adminPort, config, { ...own, ...env }, from)
  return { url, ...started }
}

export async function startWorkerProcess(
  config: Config,
  env: Record<string, string> = {},
): Promise<Omit<Started, 'url'>> {
  const adminPort = await freePort()
  return start('main.worker.ts', adminPort, config, { WORKER_ADMIN_PORT: String(adminPort), ...env })
}

/** A gateway that accepts device connections. */
export async function startGatewayProcess(config: Config, env: Record<string, string> = {}) {
  const port = async (name: string) => Number(env[name] ?? (await freePort()))
  const [dnyPort, ocppPort, ykcPort] = [await port('DNY_PORT'), await port('OCPP_PORT'), await port('YKC_PORT')]
  const adminPort = await freePort()
  const own = {
    DNY_PORT: String(dnyPort),
    OCPP_PORT: String(ocppPort),
    YKC_PORT: String(ykcPort),
    GATEWAY_ADMIN_PORT: String(adminPort),
    // All devices of a test come from one address.
    MAX_SOCKETS_PER_ADDRESS: '60000',
    LINE_PROBE_MS: '3000',
    ...env,
  }
  return { dnyPort, ocppPort, ykcPort, ...(await start('../../gateway/src/main.ts', adminPort, config, own)) }
}

/** The guard of a broker; `env` holds the broker's address. */
export async function startGuardProcess(config: Config, env: Record<string, string>) {
  const adminPort = await freePort()
  return start('../../gateway/src/main.broker-guard.ts', adminPort, config, {
    GUARD_ADMIN_PORT: String(adminPort),
    ...env,
  })
}

async function start(main: string, adminPort: number, config: Config, env: Record<string, string>, from = sources) {
  const flags = main === 'main.worker.ts' ? workerFlags : []
  const child = spawn(process.execPath, [...flags, join(from, main)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      API_DATABASE_URL: config.apiDatabaseUrl,
      WORKER_DATABASE_URL: config.workerDatabaseUrl,
      PREFIX: config.prefix,
      // A stream reserves its maximum size, and every test file has one.
      DEVICE_STREAM_BYTES: String(64 * 1024 ** 2),
      SECRET_KEYS: config.secretKeys.join(','),
      // As deployed: the api has neither of these keys.
      ...(main === 'main.worker.ts' ? { SIGNER_KEYS: config.signerKeys.join(',') } : {}),
      S3_ENDPOINT: config.files.endpoint,
      LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
      ...env,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (process.env['TEST_LOG'] !== undefined) process.stdout.write(chunk)
    })
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // A test that fails halfway must not leave processes behind.
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  child.once('exit', () => process.off('exit', killAtExit))
  const admin = `http://127.0.0.1:${adminPort}`
  const deadline = Date.now() + hangMs
  while (
    !(await fetch(`${admin}/ready`).then(
      (reply) => reply.ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL')
      throw new Error(`${main} did not become ready: ${output.slice(-2000)}`)
    }
    await sleep(50)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  /** Simulates a power failure. */
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { admin, child, stop, kill, output: () => output }
}
