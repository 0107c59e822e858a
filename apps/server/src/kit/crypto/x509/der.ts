/** The required subset of DER. The reader checks every length, because the input is untrusted. */
const lengthOf = (length: number): number[] => {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0x80 | bytes.length, ...bytes]
}

export const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body])
}
export const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
export const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes)
export const octets = (bytes: Buffer) => der(0x04, bytes)
export const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
/** Encodes a positive integer in its shortest form. */
export function integer(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start === -1 ? Buffer.from([0]) : bytes.subarray(start)
  return der(0x02, digits.readUInt8(0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits)
}
export const yes = der(0x01, Buffer.from([0xff]))

/** RFC 5280: two digits of the year until 2049, and four from 2050. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

export type Part = { tag: number; body: Buffer; whole: Buffer }

/** Reads consecutive parts. Throws on truncated input. */
export function readParts(bytes: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at)
    const first = bytes.readUInt8(at + 1)
    const extra = first < 0x80 ? 0 : first & 0x7f
    if ((tag & 0x1f) === 0x1f || (first >= 0x80 && (extra === 0 || extra > 3))) throw new RangeError('invalid DER')
    const length = extra === 0 ? first : bytes.readUIntBE(at + 2, extra)
    const start = at + 2 + extra
    const end = start + length
    if (end > bytes.length) throw new RangeError('truncated DER')
    parts.push({ tag, body: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return parts
}

/** Reads the parts of a constructed part. */
export function inside(part: Part | undefined, tag = 0x30): Part[] {
  if (part?.tag !== tag) throw new RangeError('unexpected DER tag')
  return readParts(part.body)
}

export const toPem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`

/** The bytes of the first block with this label. */
export function fromPem(label: string, text: string): Buffer {
  const pattern = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`)
  const [, body] = pattern.exec(text) ?? []
  if (body === undefined) throw new RangeError(`no ${label}`)
  return Buffer.from(body, 'base64')
}
