import { parentPort, workerData } from 'node:worker_threads'
import type { Evidence } from './evidence.ts'
import { drawEvidence } from './evidence-pages.ts'

/** The thread that writes one pack, and dies with it. `json` is what the pack carries and `hash` is of. */
export type EvidenceWork = { facts: Evidence; json: string; hash: string; font: string }
export type EvidenceAnswer = { pdf: Uint8Array }

const pdf = await drawEvidence(workerData as EvidenceWork)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
parentPort?.postMessage({ pdf } satisfies EvidenceAnswer)
