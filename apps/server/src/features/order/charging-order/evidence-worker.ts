import { parentPort, workerData } from 'node:worker_threads'
import { drawEvidence, type EvidenceWork } from './evidence-pages.ts'

/** The thread that writes one pack, and ends with it. */
export type EvidenceAnswer = { pdf: Uint8Array }

const pdf = await drawEvidence(workerData as EvidenceWork)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
parentPort?.postMessage({ pdf } satisfies EvidenceAnswer)
