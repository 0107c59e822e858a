import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * A system clock that a test moves, for processes started with `env`. A small library adds an offset to every time of
 * the operating system, read from one page of shared memory. PostgreSQL, Node and all libraries move together. Timers
 * use the monotonic clock, which does not move. A Go program (nats-server) calls the kernel directly and does not move.
 */
export type MovedClock = { env: Record<string, string>; moveTo: (atMs: number) => void; remove: () => void }

const fileVariable = 'MOVED_CLOCK'
const source = new URL('moved-clock.c', import.meta.url).pathname

/** A new clock, which shows the real time until it is moved. */
export function makeClock(): MovedClock {
  const dir = mkdtempSync(join(tmpdir(), 'wattdeck-clock-'))
  // PostgreSQL runs as another user and must read the files.
  chmodSync(dir, 0o755)
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', join(dir, 'clock.so'), source])
  const file = join(dir, 'offset')
  writeFileSync(file, Buffer.alloc(8))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  return clockOf(file)
}

/** The clock of this process itself. */
export function ownClock(): MovedClock | undefined {
  const file = process.env[fileVariable]
  return file === undefined ? undefined : clockOf(file)
}

function clockOf(file: string): MovedClock {
  const dir = dirname(file)
  const moveTo = (atMs: number) => {
    const ownMs = process.env[fileVariable] === file ? Number(readFileSync(file).readBigInt64LE() / 1_000_000n) : 0
    const offset = Buffer.alloc(8)
    offset.writeBigInt64LE(BigInt(Math.round(atMs - (Date.now() - ownMs))) * 1_000_000n)
    // In place and in one write, because the processes have mapped this file.
    const handle = openSync(file, 'r+')
    writeSync(handle, offset, 0, 8, 0)
    closeSync(handle)
  }
  const env = { LD_PRELOAD: join(dir, 'clock.so'), [fileVariable]: file }
  return { env, moveTo, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
