import { createHash } from 'node:crypto'
import { Refusal } from '../../../kit/http/refusal.ts'
import { runThread, ThreadLimitError } from '../../../kit/jobs/run-thread.ts'
import { Semaphore } from '../../../kit/jobs/semaphore.ts'
import type { Evidence } from './evidence.ts'
import type { EvidenceAnswer } from './evidence-worker.ts'
import type { EvidenceWork } from './evidence-pages.ts'

const cpuLimitMs = 30_000
const memoryMb = 256
const writing = new Semaphore(1, 6)

/**
 * A pack as PDF, and the SHA-256 of the facts that it shows and carries. Layout of Chinese text takes about a second of CPU, so a separate
 * thread does it, one pack at a time. Too slow for a transaction: call it in `prepare`.
 */
export async function writeEvidence(facts: Evidence, font: string): Promise<{ bytes: Buffer; hash: string }> {
  const json = JSON.stringify(facts, null, 1)
  const hash = createHash('sha256').update(json).digest('hex')
  const { pdf } = await writing.take(() => writeApart({ facts, json, hash, font }))
  return { bytes: Buffer.from(pdf), hash }
}

async function writeApart(work: EvidenceWork): Promise<EvidenceAnswer> {
  const limits = { cpuLimitMs, memoryMb }
  try {
    return await runThread<EvidenceAnswer>(new URL('evidence-worker.ts', import.meta.url), { data: work, ...limits })
  } catch (error) {
    if (error instanceof ThreadLimitError) throw new Refusal(503, '生成举证材料超时，请稍后重试')
    throw error
  }
}
