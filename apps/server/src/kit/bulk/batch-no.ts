import { newCodeId } from '../crypto/code-signer.ts'

/** 'K20261115-7QX2VB': letter, day in China and random part of a batch number. */
export const newBatchNo = (letter: string, nowMs = Date.now()): string =>
  `${letter}${new Date(nowMs + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '')}-${newCodeId().slice(0, 6)}`
