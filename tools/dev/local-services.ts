import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Separate engines for runs that kill them, so that no other process on the machine is affected. */
export type Engine = {
  port: number
  kill: () => Promise<void>
  restart: () => Promise<void>
  stop: () => Promise<void>
}

const claims = join(tmpdir(), 'wattdeck-ports')
const claimed = new Set<string>()
process.once('exit', () => {
  for (const file of claimed) rmSync(file, { force: true })
})

/**
 * Claims a port for this process until it ends: tests start many servers side by side, each some time after its port
 * was chosen.
 */
function claimPort(port: number): boolean {
  mkdirSync(claims, { recursive: true })
  const file = join(claims, String(port))
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    if (isAlive(file)) return false
    // A stale claim of a killed process. The first process to retry gets the port.
    rmSync(file, { force: true })
    return false
  }
  claimed.add(file)
  return true
}

function isAlive(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

/** Below the ephemeral ports of the kernel: an outgoing connection could take one of those before a process listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    if (!claimPort(port)) continue
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer().once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
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
  throw new Error(`nothing listens on port ${port}`)
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()))

/** A separate in-memory disk for an engine, which can be filled to the last byte. Requires root. */
export type SmallDisk = { dir: string; fill: () => void; free: () => void; remove: () => void }

export function makeSmallDisk(megabytes: number): SmallDisk {
  const dir = mkdtempSync(join(tmpdir(), 'wattdeck-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir])
  chmodSync(dir, 0o777)
  const filler = join(dir, 'filler')
  const remove = () => {
    process.off('exit', remove)
    execFileSync('umount', ['--lazy', dir])
    rmSync(dir, { recursive: true, force: true })
  }
  process.once('exit', remove)
  const fill = () => {
    const file = openSync(filler, 'a')
    // In ever smaller pieces, until not even one byte fits.
    for (let size = 1024 ** 2; size >= 1; size = Math.floor(size / 16)) {
      const piece = Buffer.alloc(size)
      try {
        while (writeSync(file, piece) === size);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
    closeSync(file)
  }
  return { dir, fill, free: () => rmSync(filler, { force: true }), remove }
}

type OwnNats = Engine & {
  url: string
  /** Kills it, and starts it again on an empty disk. */
  wipe: () => Promise<void>
  /** Suspends the process: it answers nothing, and its connections stay open. */
  pause: () => void
  resume: () => void
}

type NatsSettings = { args?: readonly string[]; env?: Record<string, string> }

export async function startOwnNats(place = tmpdir(), { args = [], env }: NatsSettings = {}): Promise<OwnNats> {
  const port = await freePort()
  const dir = mkdtempSync(join(place, 'wattdeck-nats-'))
  const run = () =>
    spawn('/usr/sbin/nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', dir, ...args], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    })
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
  const wipe = async () => {
    await kill()
    rmSync(dir, { recursive: true, force: true })
    child = run()
    await listening(port)
  }
  const pause = () => void child.kill('SIGSTOP')
  const resume = () => void child.kill('SIGCONT')
  return { port, url: `nats://127.0.0.1:${port}`, kill, restart, stop, wipe, pause, resume }
}

export async function startOwnRedis(): Promise<Engine & { url: string }> {
  const port = await freePort()
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const run = () => spawn('/usr/bin/redis-server', args, { stdio: 'ignore' })
  let child = run()
  process.once('exit', () => child.kill('SIGKILL'))
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
  return { port, url: `redis://127.0.0.1:${port}`, kill, restart, stop: kill }
}

/** For tests that never kill the server: it does not wait for a write to reach the disk. */
const ephemeral =
  '-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_wal_size=1GB -c checkpoint_timeout=1h'
/**
 * Data directories are in memory where it has enough room. The kernel keeps the files of a killed server in either
 * place, so crash recovery replays the same write-ahead log.
 */
function roomyMemory(): string {
  const [dir, needed] = ['/dev/shm', 4 * 1024 ** 3]
  if (!existsSync(dir)) return tmpdir()
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize < needed ? tmpdir() : dir
}

type OwnPostgres = Engine & {
  at: string
  /** Starts it if it has ended by itself. */
  revive: () => void
}

/** A PostgreSQL server refuses to run as root, so it runs as the user that Debian creates for it. */
export async function startOwnPostgres(
  memory: 'durable' | 'ephemeral' = 'durable',
  place = roomyMemory(),
  settings = '',
): Promise<OwnPostgres> {
  const port = await freePort()
  const root = '/usr/lib/postgresql'
  const bin = join(root, readdirSync(root).toSorted().at(-1) ?? '', 'bin')
  const dir = mkdtempSync(join(place, 'wattdeck-postgres-'))
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
  run('initdb', '--no-sync', '-D', dir, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8')
  const options = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1 -c shared_buffers=256MB -c max_connections=200 ${memory === 'ephemeral' ? ephemeral : ''} ${settings}`
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
      // It had already stopped.
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
  const revive = () => {
    try {
      run('pg_ctl', '-D', dir, 'status')
    } catch {
      start()
    }
  }
  return { port, at: `127.0.0.1:${port}`, kill, restart, revive, stop }
}
