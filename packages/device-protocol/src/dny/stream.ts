import { frameBytesAt, frameOf, headBytes, maxFrameBytes, sumHolds, type DnyFrame } from './frame.ts'
import type { IccidEvent, LinkEvent } from '../message.ts'

/** What a gateway keeps for each socket: at most one unfinished frame, and what it had to leave out. */
export type DnyStream = {
  pending: Uint8Array
  /** Bytes that belonged to nothing. */
  skippedBytes: number
  /** Frames whose sum did not hold; their bytes are among the skipped ones. */
  badSums: number
}
export type DnyItem = { kind: 'frame'; frame: DnyFrame } | IccidEvent | LinkEvent

const nothing = new Uint8Array(0)
export const newStream = (): DnyStream => ({ pending: nothing, skippedBytes: 0, badSums: 0 })

const letters = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const dny = letters('DNY')
const link = letters('link')
/** SIM cards of China. A modem sends the twenty characters of its card when it has connected. */
const iccidHead = letters('8986')
const iccidBytes = 20

/** 'part': all bytes that are there fit, more are needed. */
type Fit = 'whole' | 'part' | 'no'
function fits(bytes: Uint8Array, at: number, text: Uint8Array): Fit {
  const there = Math.min(text.length, bytes.length - at)
  for (let place = 0; place < there; place++) if (bytes[at + place] !== text[place]) return 'no'
  return there === text.length ? 'whole' : 'part'
}

const isIccidByte = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

type Found = { item: DnyItem; bytes: number } | 'part' | 'no' | 'badSum'

function frameAt(bytes: Uint8Array, at: number): Found {
  const fit = fits(bytes, at, dny)
  if (fit !== 'whole') return fit
  const left = bytes.length - at
  if (left < headBytes) return 'part'
  const whole = frameBytesAt(bytes, at)
  if (whole === undefined) return 'no'
  if (left < whole) return 'part'
  if (!sumHolds(bytes, at, whole)) return 'badSum'
  // A socket's chunk is a view of a pool, and a Buffer's slice would be one of the chunk: copied, so nothing is held.
  const copy = new Uint8Array(whole)
  copy.set(bytes.subarray(at, at + whole))
  return { item: { kind: 'frame', frame: frameOf(copy) }, bytes: whole }
}

function linkAt(bytes: Uint8Array, at: number): Found {
  const fit = fits(bytes, at, link)
  return fit === 'whole' ? { item: { kind: 'link' }, bytes: link.length } : fit
}

function iccidAt(bytes: Uint8Array, at: number): Found {
  const fit = fits(bytes, at, iccidHead)
  if (fit !== 'whole') return fit
  const text = bytes.subarray(at, at + iccidBytes)
  if (!text.every(isIccidByte)) return 'no'
  if (text.length < iccidBytes) return 'part'
  return { item: { kind: 'iccid', iccid: String.fromCharCode(...text) }, bytes: iccidBytes }
}

function itemAt(bytes: Uint8Array, at: number): Found {
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
 * What became whole with this chunk, in order. Whatever does not fit is skipped byte by byte up to the next thing that
 * does, so a frame behind a broken one is found even when the broken one claims its bytes. How the stream was cut into
 * chunks makes no difference.
 */
export function frames(stream: DnyStream, chunk: Uint8Array): DnyItem[] {
  const bytes = joined(stream.pending, chunk)
  const items: DnyItem[] = []
  let at = 0
  while (at < bytes.length) {
    const found = itemAt(bytes, at)
    if (found === 'part') break
    if (typeof found === 'object') {
      items.push(found.item)
      at += found.bytes
      continue
    }
    if (found === 'badSum') stream.badSums++
    stream.skippedBytes++
    at++
  }
  stream.pending = at < bytes.length ? Uint8Array.from(bytes.subarray(at)) : nothing
  return items
}

/** No state holds more than this. */
export const maxPendingBytes = maxFrameBytes - 1
