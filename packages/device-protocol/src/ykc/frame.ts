import { done, refused, type Outcome } from '../outcome.ts'

/**
 * 68, length (1), sequence number (2), encryption (1), type (1), body, CRC (2). Little endian. The length counts from the
 * sequence number to the body, the CRC covers the same. A reply repeats the sequence number.
 */
export type YkcFrame = {
  seq: number
  /** 0 is none; 1 is 3DES, which is not supported. */
  encryption: number
  type: number
  /** The whole frame, in its own buffer. */
  bytes: Uint8Array
  /** A view of `bytes`. */
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

/** Computes the CRC of a whole frame. */
export const crcOfFrame = (bytes: Uint8Array): number => crcOf(bytes, headBytes, bytes.length - crcBytes)

/** The frame's declared length; undefined when it is out of range. */
export function frameBytesAt(bytes: Uint8Array, at: number): number | undefined {
  const length = bytes[at + 1] ?? 0
  return length >= minLength && length <= maxLength ? headBytes + length + crcBytes : undefined
}

export const crcHolds = (bytes: Uint8Array, at: number, whole: number): boolean =>
  crcOf(bytes, at + headBytes, at + whole - crcBytes) === u16At(bytes, at + whole - crcBytes)

/** Takes ownership of the bytes, which must not change afterwards. */
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

/** Wraps around to 0. */
export const nextSeq = (seq: number): number => (seq >= maxSeq ? 0 : seq + 1)

/** Position of the card holder's password in the body of a 0x31 frame. */
const [passwordFrom, passwordTo] = [18, 34]
/** Returns the frame with a zeroed password, which is not needed after the answer. */
export function withoutPassword(frame: YkcFrame): YkcFrame {
  const body = [...frame.body].map((byte, at) => (at >= passwordFrom && at < passwordTo ? 0 : byte))
  const masked = makeFrame(frame.seq, frame.type, body)
  return masked.ok ? masked.value : frame
}
