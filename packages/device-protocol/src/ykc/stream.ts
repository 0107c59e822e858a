import { crcHolds, frameBytesAt, frameOf, headBytes, maxFrameBytes, startByte, type YkcFrame } from './frame.ts'

/** What a gateway keeps for each socket: at most one unfinished frame, and what it had to leave out. */
export type YkcStream = {
  pending: Uint8Array
  /** Bytes that belonged to nothing. */
  skippedBytes: number
  /** Frames whose CRC did not hold; their bytes are among the skipped ones. */
  badCrcs: number
}

const nothing = new Uint8Array(0)
export const newStream = (): YkcStream => ({ pending: nothing, skippedBytes: 0, badCrcs: 0 })

/** 'part': what is there may become a frame, more is needed. */
function frameAt(bytes: Uint8Array, at: number): YkcFrame | 'part' | 'no' | 'badCrc' {
  if (bytes[at] !== startByte) return 'no'
  const left = bytes.length - at
  if (left < headBytes) return 'part'
  const whole = frameBytesAt(bytes, at)
  if (whole === undefined) return 'no'
  if (left < whole) return 'part'
  if (!crcHolds(bytes, at, whole)) return 'badCrc'
  // A socket's chunk is a view of a pool: copied, so nothing is held.
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
 * The frames that became whole with this chunk, in order. Whatever does not fit is skipped byte by byte up to the next
 * that does, so a frame behind a broken one is found even when the broken one claims its bytes. How the stream was cut
 * into chunks makes no difference.
 */
export function frames(stream: YkcStream, chunk: Uint8Array): YkcFrame[] {
  const bytes = joined(stream.pending, chunk)
  const found: YkcFrame[] = []
  let at = 0
  while (at < bytes.length) {
    const frame = frameAt(bytes, at)
    if (frame === 'part') break
    if (typeof frame === 'object') {
      found.push(frame)
      at += frame.bytes.length
      continue
    }
    if (frame === 'badCrc') stream.badCrcs++
    stream.skippedBytes++
    at++
  }
  stream.pending = at < bytes.length ? Uint8Array.from(bytes.subarray(at)) : nothing
  return found
}

/** No state holds more than this. */
export const maxPendingBytes = maxFrameBytes - 1
