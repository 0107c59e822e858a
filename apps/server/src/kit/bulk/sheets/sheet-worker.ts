import { parentPort, workerData } from 'node:worker_threads'
import { readCsv } from './csv-reader.ts'
import type { Sheet } from './grid.ts'
import { SheetProblem } from './sheet-limits.ts'
import { readXlsx, refuseOldBook } from './xlsx-reader.ts'

/** Entry point of the thread that reads one sheet. The first bytes determine the type of the file, not its name. */
export type SheetAnswer = { sheet: Sheet } | { problem: string }

async function read(bytes: Buffer): Promise<SheetAnswer> {
  try {
    refuseOldBook(bytes)
    return { sheet: bytes.toString('latin1', 0, 4) === 'PK\x03\x04' ? await readXlsx(bytes) : readCsv(bytes) }
  } catch (error) {
    if (error instanceof SheetProblem) return { problem: error.message }
    throw error
  }
}

const { buffer, byteOffset, byteLength } = workerData as Uint8Array
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
parentPort?.postMessage(await read(Buffer.from(buffer, byteOffset, byteLength)))
