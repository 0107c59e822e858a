import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../src/kit/config.ts'

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

type Started = { url: string; admin: string; child: ChildProcess; stop: () => Promise<void> }

/** The api as a process of its own, on the database of a test; ready when this returns. */
export async function startApiProcess(config: Config, env: Record<string, string> = {}): Promise<Started> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const ports = { API_PORT: String(port), API_ADMIN_PORT: String(adminPort) }
  const started = await start('main.api.ts', adminPort, config, { ...ports, ...env })
  return { url: `http://127.0.0.1:${port}`, ...started }
}

export async function startWorkerProcess(
  config: Config,
  env: Record<string, string> = {},
): Promise<Omit<Started, 'url'>> {
  const adminPort = await freePort()
  return start('main.worker.ts', adminPort, config, { WORKER_ADMIN_PORT: String(adminPort), ...env })
}

async function start(main: string, adminPort: number, config: Config, env: Record<string, string>) {
  const child = spawn(process.execPath, [new URL(`../src/${main}`, import.meta.url).pathname], {
    stdio: 'inherit',
    env: {
      ...process.env,
      API_DATABASE_URL: config.apiDatabaseUrl,
      WORKER_DATABASE_URL: config.workerDatabaseUrl,
      PREFIX: config.prefix,
      SECRET_KEYS: config.secretKeys.join(','),
      LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
      ...env,
    },
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const admin = `http://127.0.0.1:${adminPort}`
  const deadline = Date.now() + 30_000
  while (
    !(await fetch(`${admin}/ready`).then(
      (reply) => reply.ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error(`${main} did not become ready`)
    await sleep(100)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { admin, child, stop }
}
