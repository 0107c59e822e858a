import { Worker } from 'node:worker_threads'
import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { invalid } from '../../http/refusal.ts'
import { Semaphore } from '../../jobs/semaphore.ts'
import type { Sheet } from './grid.ts'
import { tooMuch } from './sheet-limits.ts'
import type { SheetAnswer } from './sheet-worker.ts'

/** CPU time of the thread, not elapsed time: a busy machine must not refuse a sheet that an idle one reads. */
const cpuLimitMs = 20_000
const checkMs = 250
const memoryMb = 256
const reading = new Semaphore(2, 8)

/**
 * The first sheet of an xlsx or csv file, as text: row n of the sheet is rows[n - 2], each as long as the head or longer.
 * Reads in a thread with its own memory and twenty seconds of CPU, so that no file can harm the process. What is no sheet, or
 * too much of one, is refused with 422. Takes too long for a transaction: call it in `prepare`.
 */
export async function readSheet(bytes: Buffer): Promise<Sheet> {
  if (bytes.length > sheetMaxBytes) throw invalid('文件大小不能超过10MB')
  const answer = await reading.take(() => readApart(bytes))
  if ('problem' in answer) throw invalid(answer.problem)
  return answer.sheet
}

async function readApart(bytes: Buffer): Promise<SheetAnswer> {
  const own = Uint8Array.from(bytes)
  const worker = new Worker(new URL('sheet-worker.ts', import.meta.url), {
    workerData: own,
    transferList: [own.buffer],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    env: {},
    execArgv: [],
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<SheetAnswer>((resolve, reject) => {
      timer = setInterval(
        () =>
          void usedMs(worker).then((used) => {
            if (used > cpuLimitMs) resolve({ problem: '表格处理超时，请拆分后上传' })
          }),
        checkMs,
      )
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ problem: tooMuch().message }) : reject(error),
      )
      worker.once('exit', (code) => reject(new Error(`the reader of sheets ended with ${code}`)))
    })
  } finally {
    clearInterval(timer)
    await worker.terminate()
  }
}

/** A thread that has ended has used nothing more. */
const usedMs = (worker: Worker): Promise<number> =>
  worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => 0,
  )
