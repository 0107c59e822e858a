import { frameBytesAt, frameOf, headBytes, maxFrameBytes, sumHolds, type DnyFrame } from './frame.ts'
import type { IccidEvent, LinkEvent } from '../message.ts'

/** Parser state of one socket: at most one unfinished frame, and error counts. */
export type DnyStream = {
  pending: Uint8Array
  /** Bytes that belong to no frame. */
  skippedBytes: number
  /** Frames with a wrong checksum; their bytes count as skipped. */
  badSums: number
}
export type DnyItem = { kind: 'frame'; frame: DnyFrame } | IccidEvent | LinkEvent

const nothing = new Uint8Array(0)
export const newStream = (): DnyStream => ({ pending: nothing, skippedBytes: 0, badSums: 0 })

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const dny = letters('DNY')
const link = letters('link')
/** Prefix of Chinese SIM cards. After connecting, a modem sends the twenty characters of its ICCID. */
const iccidHead = letters('8986')
const iccidBytes = 20

/** 'part': the available bytes match, and more are needed. */
type Fit = 'whole' | 'part' | 'no'
function fits(bytes: Uint8Array, at: number, text: Uint8Array): Fit {
  const there = Math.min(text.length, bytes.length - at)
  for (let place = 0; place < there; place++) if (bytes[at + place] !== text[place]) return 'no'
  return there === text.length ? 'whole' : 'part'
}

const isIccidByte = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

type Match = { item: DnyItem; bytes: number } | 'part' | 'no' | 'badSum'

function frameAt(bytes: Uint8Array, at: number): Match {
  const fit = fits(bytes, at, dny)
  if (fit !== 'whole') return fit
  const available = bytes.length - at
  if (available < headBytes) return 'part'
  const whole = frameBytesAt(bytes, at)
  if (whole === undefined) return 'no'
  if (available < whole) return 'part'
  if (!sumHolds(bytes, at, whole)) return 'badSum'
  // A socket chunk is a view of a shared pool, so the frame is copied and does not retain it.
  const copy = new Uint8Array(whole)
  copy.set(bytes.subarray(at, at + whole))
  return { item: { kind: 'frame', frame: frameOf(copy) }, bytes: whole }
}

function linkAt(bytes: Uint8Array, at: number): Match {
  const fit = fits(bytes, at, link)
  return fit === 'whole' ? { item: { kind: 'link' }, bytes: link.length } : fit
}

function iccidAt(bytes: Uint8Array, at: number): Match {
  const fit = fits(bytes, at, iccidHead)
  if (fit !== 'whole') return fit
  const text = bytes.subarray(at, at + iccidBytes)
  if (!text.every(isIccidByte)) return 'no'
  if (text.length < iccidBytes) return 'part'
  return { item: { kind: 'iccid', iccid: String.fromCharCode(...text) }, bytes: iccidBytes }
}

function itemAt(bytes: Uint8Array, at: number): Match {
  const first = bytes[at]
  if (first === dny[0]) return frameAt(bytes, at)
  if (first === link[0]) return linkAt(bytes, at)
  return first === iccidHead[0] ? iccidAt(bytes, at) : 'no'
}

function joined(pending: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (pending.length === 0) return chunk
  const bytes = new Uint8Array(pending.length + chunk.length)
  bytes.set(pending)
  bytes.set(chunk, pending.length)
  return bytes
}

/**
 * Returns the items completed by this chunk, in order. Unmatched bytes are skipped one by one, so a frame is found even
 * inside the bytes that a broken one claims. Chunk boundaries make no difference.
 */
export function frames(stream: DnyStream, chunk: Uint8Array): DnyItem[] {
  const bytes = joined(stream.pending, chunk)
  const items: DnyItem[] = []
  let at = 0
  while (at < bytes.length) {
    const match = itemAt(bytes, at)
    if (match === 'part') break
    if (typeof match === 'object') {
      items.push(match.item)
      at += match.bytes
      continue
    }
    if (match === 'badSum') stream.badSums++
    stream.skippedBytes++
    at++
  }
  stream.pending = at < bytes.length ? Uint8Array.from(bytes.subarray(at)) : nothing
  return items
}

/** Upper bound of `pending`. */
export const maxPendingBytes = maxFrameBytes - 1
