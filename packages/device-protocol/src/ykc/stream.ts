import { crcHolds, frameBytesAt, frameOf, headBytes, maxFrameBytes, startByte, type YkcFrame } from './frame.ts'

/** Parser state of one socket: at most one unfinished frame, and error counts. */
export type YkcStream = {
  pending: Uint8Array
  /** Bytes that belong to no frame. */
  skippedBytes: number
  /** Frames with a wrong CRC; their bytes count as skipped. */
  badCrcs: number
}

const nothing = new Uint8Array(0)
export const newStream = (): YkcStream => ({ pending: nothing, skippedBytes: 0, badCrcs: 0 })

/** 'part': the available bytes may become a frame, and more are needed. */
function frameAt(bytes: Uint8Array, at: number): YkcFrame | 'part' | 'no' | 'badCrc' {
  if (bytes[at] !== startByte) return 'no'
  const available = bytes.length - at
  if (available < headBytes) return 'part'
  const whole = frameBytesAt(bytes, at)
  if (whole === undefined) return 'no'
  if (available < whole) return 'part'
  if (!crcHolds(bytes, at, whole)) return 'badCrc'
  // A socket chunk is a view of a shared pool, so the frame is copied and does not retain it.
  const copy = new Uint8Array(whole)
  copy.set(bytes.subarray(at, at + whole))
  return frameOf(copy)
}

function joined(pending: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (pending.length === 0) return chunk
  const bytes = new Uint8Array(pending.length + chunk.length)
  bytes.set(pending)
  bytes.set(chunk, pending.length)
  return bytes
}

/**
 * Returns the frames completed by this chunk, in order. Unmatched bytes are skipped one by one, so a frame is found
 * even inside the bytes that a broken one claims. Chunk boundaries make no difference.
 */
export function frames(stream: YkcStream, chunk: Uint8Array): YkcFrame[] {
  const bytes = joined(stream.pending, chunk)
  const completed: YkcFrame[] = []
  let at = 0
  while (at < bytes.length) {
    const frame = frameAt(bytes, at)
    if (frame === 'part') break
    if (typeof frame === 'object') {
      completed.push(frame)
      at += frame.bytes.length
      continue
    }
    if (frame === 'badCrc') stream.badCrcs++
    stream.skippedBytes++
    at++
  }
  stream.pending = at < bytes.length ? Uint8Array.from(bytes.subarray(at)) : nothing
  return completed
}

/** Upper bound of `pending`. */
export const maxPendingBytes = maxFrameBytes - 1
