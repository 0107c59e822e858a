import { done, refused, type Outcome } from '../outcome.ts'
import { bytesOfHex, hexOf } from '../bytes.ts'

/**
 * 'DNY', length (2), physical id (4), message id (2), command (1), data, sum (2). Little endian. The length counts from
 * the physical id to the sum; the sum is that of all bytes before it, modulo 65536. A reply repeats the message id.
 */
export type DnyFrame = {
  physicalId: number
  messageId: number
  command: number
  /** The whole frame, in its own buffer. */
  bytes: Uint8Array
  /** A view of `bytes`. */
  data: Uint8Array
}
/** The device, and the message id that its answer repeats. */
export type DnyAddress = { physicalId: number; messageId: number }

export const headBytes = 5
const dataAt = 12
export const minFrameBytes = 14
export const maxFrameBytes = 256
export const maxDataBytes = maxFrameBytes - minFrameBytes
const maxMessageId = 0xffff

const u16At = (bytes: Uint8Array, at: number) => (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256

export function sumOf(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += bytes[at] ?? 0
  return sum % 65_536
}

/** The frame's declared length; undefined when it is out of range. */
export function frameBytesAt(bytes: Uint8Array, at: number): number | undefined {
  const whole = headBytes + u16At(bytes, at + 3)
  return whole >= minFrameBytes && whole <= maxFrameBytes ? whole : undefined
}

export const sumHolds = (bytes: Uint8Array, at: number, whole: number): boolean =>
  sumOf(bytes, at, at + whole - 2) === u16At(bytes, at + whole - 2)

/** Takes ownership of the bytes, which must not change afterwards. */
export const frameOf = (bytes: Uint8Array): DnyFrame => ({
  physicalId: u16At(bytes, headBytes) + u16At(bytes, headBytes + 2) * 65_536,
  messageId: u16At(bytes, 9),
  command: bytes[11] ?? 0,
  bytes,
  data: bytes.subarray(dataAt, bytes.length - 2),
})

/** Parses exactly one frame for the frame inspector; the refusal names the error. */
export function parseFrame(bytes: Uint8Array): Outcome<DnyFrame> {
  if (bytes.length < minFrameBytes) return refused(`a frame has at least ${minFrameBytes} bytes`)
  if (hexOf(bytes.subarray(0, 3)) !== '444e59') return refused("a frame begins with 'DNY'")
  const whole = frameBytesAt(bytes, 0)
  if (whole !== bytes.length)
    return refused(`the length says ${whole ?? 'nothing possible'}, there are ${bytes.length}`)
  if (!sumHolds(bytes, 0, whole))
    return refused(`the sum should be ${sumOf(bytes, 0, whole - 2)}, it is ${u16At(bytes, whole - 2)}`)
  return done(frameOf(Uint8Array.from(bytes)))
}

export function makeFrame(address: DnyAddress, command: number, data: readonly number[]): Outcome<DnyFrame> {
  const { physicalId, messageId } = address
  if (!Number.isInteger(physicalId) || physicalId < 0 || physicalId > 0xffff_ffff) return refused('no physical id')
  if (!Number.isInteger(messageId) || messageId < 0 || messageId > maxMessageId) return refused('no message id')
  if (data.length > maxDataBytes) return refused(`more than ${maxFrameBytes} bytes`)
  const bytes = new Uint8Array(minFrameBytes + data.length)
  const view = new DataView(bytes.buffer)
  bytes.set([0x44, 0x4e, 0x59])
  view.setUint16(3, bytes.length - headBytes, true)
  view.setUint32(5, physicalId, true)
  view.setUint16(9, messageId, true)
  bytes[11] = command
  bytes.set(data, dataAt)
  view.setUint16(bytes.length - 2, sumOf(bytes, 0, bytes.length - 2), true)
  return done(frameOf(bytes))
}

/** Message ids wrap around; 0 is skipped, because it stands for none. */
export const nextMessageId = (messageId: number): number => (messageId >= maxMessageId ? 1 : messageId + 1)

/** Device kinds, by the first byte of the physical id. */
export const deviceKinds: Readonly<Record<number, { label: string; portCount: number | undefined }>> = {
  3: { label: '单路插座', portCount: 1 },
  4: { label: '双路插座', portCount: 2 },
  5: { label: '十路充电桩', portCount: 10 },
  6: { label: '十六路充电桩', portCount: 16 },
  7: { label: '十二路充电桩', portCount: 12 },
  9: { label: '主机', portCount: undefined },
  10: { label: '漏保主机', portCount: undefined },
}

export type DnyIdentity = { deviceKind: number; printedNo: number }

/** The number printed under the QR code is the physical id without its first byte. */
export const identityOf = (physicalId: number): DnyIdentity => ({
  deviceKind: Math.floor(physicalId / 0x100_0000),
  printedNo: physicalId % 0x100_0000,
})
export const physicalIdOf = ({ deviceKind, printedNo }: DnyIdentity): number => deviceKind * 0x100_0000 + printedNo

/** The form in QR codes, in wire order: '40aace04'. */
export const physicalIdText = (physicalId: number): string =>
  hexOf([physicalId, physicalId / 0x100, physicalId / 0x1_0000, physicalId / 0x100_0000].map((part) => part & 0xff))

export function parsePhysicalId(text: string): number | undefined {
  const bytes = bytesOfHex(text)
  return bytes?.length === 4 ? u16At(bytes, 0) + u16At(bytes, 2) * 65_536 : undefined
}
