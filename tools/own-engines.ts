import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Engines of one's own, for runs that kill them: nobody else on the machine notices. */
export type Engine = {
  port: number
  kill: () => Promise<void>
  restart: () => Promise<void>
  stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (open) return
    await sleep(100)
  }
  throw new Error(`nobody listens on ${port}`)
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()))

export async function startOwnNats(): Promise<Engine & { url: string }> {
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'wattdeck-nats-'))
  const run = () =>
    spawn('/usr/sbin/nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dir], { stdio: 'ignore' })
  let child = run()
  process.once('exit', () => {
    child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  })
  await listening(port)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended(child)
  }
  const restart = async () => {
    await kill()
    child = run()
    await listening(port)
  }
  const stop = async () => {
    await kill()
    rmSync(dir, { recursive: true, force: true })
  }
  return { port, url: `nats://127.0.0.1:${port}`, kill, restart, stop }
}

/** For tests that never pull its plug: it does not wait for the disk, and where memory can hold its files, has none. */
const forgetful =
  '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_wal_size=1GB -c checkpoint_timeout=1h'
function roomyMemory(): string {
  const [dir, needed] = ['/dev/shm', 4 * 1024 ** 3]
  if (!existsSync(dir)) return tmpdir()
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize < needed ? tmpdir() : dir
}

/** A PostgreSQL server does not run as root: everything happens as the user that Debian made for it. */
export async function startOwnPostgres(memory: 'durable' | 'forgetful' = 'durable'): Promise<Engine & { at: string }> {
  const port = await freePort()
  const root = '/usr/lib/postgresql'
  const bin = join(root, readdirSync(root).toSorted().at(-1) ?? '', 'bin')
  const dir = mkdtempSync(join(memory === 'forgetful' ? roomyMemory() : tmpdir(), 'wattdeck-postgres-'))
  const asPostgres = process.getuid?.() === 0
  if (asPostgres) {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres']).toString()))
    chownSync(dir, uid, gid)
  }
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin, program), ...args]
    const [file = '', ...rest] = asPostgres ? ['runuser', '-u', 'postgres', '--', ...command] : command
    execFileSync(file, rest, { stdio: 'ignore', cwd: '/' })
  }
  run('initdb', '-D', dir, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  const options = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1 -c shared_buffers=256MB -c max_connections=200${memory === 'forgetful' ? ` ${forgetful}` : ''}`
  const start = () => run('pg_ctl', '-D', dir, '-o', options, '-l', join(dir, 'log'), '-w', 'start')
  const kill = () => {
    run('pg_ctl', '-D', dir, '-m', 'immediate', 'stop')
    return Promise.resolve()
  }
  start()
  const end = () => {
    try {
      run('pg_ctl', '-D', dir, '-m', 'immediate', 'stop')
    } catch {
      // It was down already.
    }
    rmSync(dir, { recursive: true, force: true })
  }
  process.once('exit', end)
  const stop = () => {
    process.off('exit', end)
    end()
    return Promise.resolve()
  }
  const restart = async () => {
    await kill()
    start()
  }
  return { port, at: `127.0.0.1:${port}`, kill, restart, stop }
}
