import { Worker } from 'node:worker_threads'

type Work = {
  data: unknown
  transfer?: readonly ArrayBuffer[]
  /** CPU time of the thread, not elapsed time, so that the load of the machine does not change the result. */
  cpuLimitMs: number
  memoryMb: number
}

export class ThreadLimitError extends Error {
  readonly limit: 'cpu' | 'memory'
  constructor(limit: 'cpu' | 'memory') {
    super(`the thread has reached its limit of ${limit}`)
    this.limit = limit
  }
}

const checkMs = 250

/** Runs a module in its own thread, returns the first message that it posts and terminates the thread. */
export async function runThread<Answer>(
  module: URL,
  { data, transfer = [], cpuLimitMs, memoryMb }: Work,
): Promise<Answer> {
  const worker = new Worker(module, {
    workerData: data,
    transferList: [...transfer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    execArgv: [],
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const check = async () => {
        if ((await usedCpuMs(worker)) > cpuLimitMs) reject(new ThreadLimitError('cpu'))
      }
      timer = setInterval(() => void check(), checkMs)
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('memory') : error),
      )
      worker.once('exit', (code) => reject(new Error(`the thread ended with ${code} and without an answer`)))
    })
  } finally {
    clearInterval(timer)
    await worker.terminate()
  }
}

/** The CPU time of a thread that has ended cannot be read; it counts as 0. */
const usedCpuMs = (worker: Worker): Promise<number> =>
  worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  )
