import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type Usage = { seconds: number; cpuSeconds: number; stolenPercent: number }

/** Processor time of the whole machine in seconds, because the engines are no children of this process. */
function readMachine() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1, 9)
    .map((ticks) => Number(ticks) / 100)
  const busy = user + nice + system + irq + softirq
  return { busy, steal, all: busy + idle + iowait + steal }
}

/** Starts a measurement; the returned function returns the usage since then. */
export function measure(): () => Usage {
  const [started, before] = [Date.now(), readMachine()]
  return () => {
    const now = readMachine()
    const all = now.all - before.all
    return {
      seconds: (Date.now() - started) / 1000,
      cpuSeconds: now.busy - before.busy,
      stolenPercent: all === 0 ? 0 : Math.round(((now.steal - before.steal) * 100) / all),
    }
  }
}

export type Finished = { status: number | null; output: string }
type Options = { env?: Record<string, string>; logFile?: string; onOutput?: (chunk: string) => void }

/** Runs a command with the binaries of the project, and captures its output. */
export function runCommand([command = '', ...args]: readonly string[], options: Options = {}): Promise<Finished> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `node_modules/.bin:${process.env['PATH'] ?? ''}`, ...options.env },
  })
  if (options.logFile !== undefined) mkdirSync(dirname(options.logFile), { recursive: true })
  const log = options.logFile === undefined ? undefined : createWriteStream(options.logFile)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      output += chunk
      log?.write(chunk)
      options.onOutput?.(chunk)
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      log?.end()
      resolve({ status, output })
    })
  })
}
