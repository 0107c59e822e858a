import { crc32, deflateRawSync } from 'node:zlib'

/** An archive whose every field can be forged. `packed` is stored as is; sizes in headers are true by default. */
export type RawEntry = {
  name: string
  content?: Buffer | string
  stored?: boolean
  packed?: Buffer
  size?: number
  crc?: number
  localName?: string
  flags?: number
  method?: number
  /** Shares the bytes of the previous entry. */
  overlaps?: boolean
}

export function rawZip(
  entries: RawEntry[],
  { comment = '', count }: { comment?: string; count?: number } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  let last = 0
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '')
    const packed = entry.packed ?? (entry.stored === true ? content : deflateRawSync(content))
    const fixed = Buffer.alloc(26)
    fixed.writeUInt16LE(20, 0)
    fixed.writeUInt16LE(entry.flags ?? 0, 2)
    fixed.writeUInt16LE(entry.method ?? (entry.stored === true ? 0 : 8), 4)
    fixed.writeUInt32LE(entry.crc ?? crc32(content), 10)
    fixed.writeUInt32LE(packed.length, 14)
    fixed.writeUInt32LE(entry.size ?? content.length, 18)
    const local = Buffer.from(entry.localName ?? entry.name)
    fixed.writeUInt16LE(local.length, 22)
    if (entry.overlaps !== true) {
      last = at
      const header = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, local, packed])
      parts.push(header)
      at += header.length
    }
    const name = Buffer.from(entry.name)
    fixed.writeUInt16LE(name.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(last, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fixed, tail, name]))
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count ?? entries.length, 4)
  end.writeUInt16LE(count ?? entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)])
}

const relations = '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
const workbook = '<workbook xmlns:r="x"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>'
export const sheetName = 'xl/worksheets/sheet1.xml'

/** The minimum that makes an archive a workbook. */
export const bookFrame: RawEntry[] = [
  { name: 'xl/workbook.xml', content: workbook },
  { name: 'xl/_rels/workbook.xml.rels', content: relations },
]
export const inSheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

/** A workbook with this sheet and other entries of the archive. */
export const rawBook = (sheet: Buffer | string, others: RawEntry[] = []) =>
  rawZip([...bookFrame, ...others, { name: sheetName, content: sheet }])
