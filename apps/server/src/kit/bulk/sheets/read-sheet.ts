import { sheetMaxBytes } from '@wattdeck/domain/limits.ts'
import { invalid } from '../../http/refusal.ts'
import { runThread, ThreadLimitError } from '../../jobs/run-thread.ts'
import { Semaphore } from '../../jobs/semaphore.ts'
import type { Sheet } from './grid.ts'
import { tooMuch } from './sheet-limits.ts'
import type { SheetAnswer } from './sheet-worker.ts'

const cpuLimitMs = 20_000
const memoryMb = 256
const reading = new Semaphore(2, 8)

/**
 * Reads the first sheet of an xlsx or csv file as text. Row n of the sheet is rows[n - 2], at least as long as the head.
 * Runs in a thread with limited memory and twenty seconds of CPU time, so that no file can harm the process. Refuses an
 * invalid or too large file with 422. Too slow for a transaction: call it in `prepare`.
 */
export async function readSheet(bytes: Buffer): Promise<Sheet> {
  if (bytes.length > sheetMaxBytes) throw invalid('文件大小不能超过10MB')
  const answer = await reading.take(() => readApart(bytes))
  if ('problem' in answer) throw invalid(answer.problem)
  return answer.sheet
}

async function readApart(bytes: Buffer): Promise<SheetAnswer> {
  const own = Uint8Array.from(bytes)
  const work = { data: own, transfer: [own.buffer], cpuLimitMs, memoryMb }
  try {
    return await runThread<SheetAnswer>(new URL('sheet-worker.ts', import.meta.url), work)
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error
    return { problem: error.limit === 'cpu' ? '表格处理超时，请拆分后上传' : tooMuch().message }
  }
}
