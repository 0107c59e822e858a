import { done, refused, type Outcome } from '../outcome.ts'

/**
 * 68, length (1), sequence number (2), encryption (1), type (1), body, CRC (2). Little endian. The length counts from the
 * sequence number to the body, the CRC covers the same. A reply repeats the sequence number.
 */
export type YkcFrame = {
  seq: number
  /** 0 is none; 1 is 3DES, which we do not speak. */
  encryption: number
  type: number
  /** The whole frame, a copy of its own. */
  bytes: Uint8Array
  /** A view of it. */
  body: Uint8Array
}

export const startByte = 0x68
export const headBytes = 2
const bodyAt = 6
const crcBytes = 2
const minLength = 4
const maxLength = 200
export const minFrameBytes = headBytes + minLength + crcBytes
export const maxFrameBytes = headBytes + maxLength + crcBytes
const maxSeq = 0xffff

const u16At = (bytes: Uint8Array, at: number) => (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256

/** CRC-16/MODBUS. */
const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  return crc
})
function crcOf(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffff
  for (let at = from; at < to; at++) crc = (crc >> 8) ^ (crcTable[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return crc
}

/** What the CRC of a whole frame should be. */
export const crcOfFrame = (bytes: Uint8Array): number => crcOf(bytes, headBytes, bytes.length - crcBytes)

/** How long the frame that begins here says it is, undefined when no frame can be so long or so short. */
export function frameBytesAt(bytes: Uint8Array, at: number): number | undefined {
  const length = bytes[at + 1] ?? 0
  return length >= minLength && length <= maxLength ? headBytes + length + crcBytes : undefined
}

export const crcHolds = (bytes: Uint8Array, at: number, whole: number): boolean =>
  crcOf(bytes, at + headBytes, at + whole - crcBytes) === u16At(bytes, at + whole - crcBytes)

/** Takes the bytes over: they must not be changed afterwards. */
export const frameOf = (bytes: Uint8Array): YkcFrame => ({
  seq: u16At(bytes, headBytes),
  encryption: bytes[4] ?? 0,
  type: bytes[5] ?? 0,
  bytes,
  body: bytes.subarray(bodyAt, bytes.length - crcBytes),
})

export function makeFrame(seq: number, type: number, body: readonly number[]): Outcome<YkcFrame> {
  if (!Number.isInteger(seq) || seq < 0 || seq > maxSeq) return refused('no sequence number')
  if (body.length > maxLength - minLength) return refused(`more than ${maxFrameBytes} bytes`)
  const bytes = new Uint8Array(minFrameBytes + body.length)
  const view = new DataView(bytes.buffer)
  bytes[0] = startByte
  bytes[1] = minLength + body.length
  view.setUint16(headBytes, seq, true)
  bytes[5] = type
  bytes.set(body, bodyAt)
  view.setUint16(bytes.length - crcBytes, crcOfFrame(bytes), true)
  return done(frameOf(bytes))
}

/** Counts round from 0. */
export const nextSeq = (seq: number): number => (seq >= maxSeq ? 0 : seq + 1)

/** The password of a card holder stands in these bytes of the body of a 31. */
const [passwordFrom, passwordTo] = [18, 34]
/** The same question without the password, which nobody needs once it is answered. */
export function withoutPassword(frame: YkcFrame): YkcFrame {
  const body = [...frame.body].map((byte, at) => (at >= passwordFrom && at < passwordTo ? 0 : byte))
  const made = makeFrame(frame.seq, frame.type, body)
  return made.ok ? made.value : frame
}
