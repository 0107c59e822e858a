import { parentPort, workerData } from 'node:worker_threads'
import { drawEvidence, type EvidenceWork } from './evidence-pages.ts'

/** Reply of the thread, which writes one pack and then ends. */
export type EvidenceAnswer = { pdf: Uint8Array }

const pdf = await drawEvidence(workerData as EvidenceWork)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
parentPort?.postMessage({ pdf } satisfies EvidenceAnswer)
