import { inflateRawSync } from 'node:zlib'

/** The files of an archive by their names, read from its directory as other programs do. */
export function unpackZip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = bytes.readUInt32LE(end + 16)
  for (let remaining = bytes.readUInt16LE(end + 10); remaining > 0; remaining--) {
    const [packed, nameLength] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const start = bytes.readUInt32LE(at + 42) + 30 + nameLength
    files.set(name, inflateRawSync(bytes.subarray(start, start + packed)).toString('utf8'))
    at += 46 + nameLength
  }
  return files
}
