import Pdf from 'pdfkit'
import type { Evidence, Section } from './evidence.ts'

/** `json` is attached to the pack; `hash` is computed from it. */
export type EvidenceWork = { facts: Evidence; json: string; hash: string; font: string }
type Doc = InstanceType<typeof Pdf>

const margin = 40
const width = 595.28 - 2 * margin
const bottom = 841.89 - margin - 24
const face = 'NotoSansCJKsc-Regular'
const ink = { text: '#1f2329', soft: '#646a73', line: '#d0d3d6', curve: '#1677ff' }

/** Draws the pages of a pack on A4 and attaches its facts as a file. */
export async function drawEvidence({ facts, json, hash, font }: EvidenceWork): Promise<Uint8Array> {
  const doc = new Pdf({
    size: 'A4',
    margin,
    bufferPages: true,
    font: '',
    info: { Title: `举证材料 ${facts.orderId}`, Producer: 'Wattdeck', Creator: 'Wattdeck' },
  } as ConstructorParameters<typeof Pdf>[0])
  // Embeds only the glyphs in use.
  doc.registerFont('text', font, font.endsWith('.ttc') ? face : undefined)
  doc.font('text')
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => doc.once('end', resolve))

  doc.fontSize(18).fillColor(ink.text).text('充电订单举证材料', { align: 'center' })
  doc.fontSize(9).fillColor(ink.soft)
  doc.text(`订单号 ${facts.orderId}　生成时间 ${facts.madeAt}　生成人 ${facts.madeBy}`, { align: 'center' })
  doc.moveDown(0.4)
  doc.text(`材料摘要（附件 evidence.json 的 SHA-256）：${hash}`)
  for (const section of facts.sections) draw(doc, section)
  doc.file(Buffer.from(json), { name: 'evidence.json', type: 'application/json', description: '材料的全部数据' })
  number(doc, hash)
  doc.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

function draw(doc: Doc, section: Section): void {
  room(doc, 60)
  doc.moveDown(0.9)
  doc.fontSize(12).fillColor(ink.text).text(section.title, margin)
  doc.moveDown(0.3)
  doc.fontSize(9)
  if (section.kind === 'facts') table(doc, [150, width - 150], section.facts)
  else if (section.kind === 'lines') for (const line of section.lines) doc.text(line, { width })
  else if (section.kind === 'table') table(doc, section.widths, [section.head, ...section.rows])
  else if (section.kind === 'curve') curve(doc, section.points)
  else frames(doc, section.frames)
}

function room(doc: Doc, height: number): void {
  if (doc.y + height > bottom) doc.addPage()
}

function table(doc: Doc, widths: readonly number[], rows: readonly (readonly string[])[]): void {
  for (const cells of rows) {
    const heights = cells.map((cell, at) => doc.heightOfString(cell || ' ', { width: (widths[at] ?? 0) - 8 }))
    const height = Math.max(...heights) + 5
    room(doc, height)
    const top = doc.y
    let left = margin
    for (const [at, cell] of cells.entries()) {
      doc.fillColor(ink.text).text(cell, left + 4, top + 2, { width: (widths[at] ?? 0) - 8 })
      left += widths[at] ?? 0
    }
    doc.y = top + height
    doc
      .moveTo(margin, doc.y)
      .lineTo(margin + width, doc.y)
      .lineWidth(0.4)
      .strokeColor(ink.line)
      .stroke()
  }
  doc.x = margin
}

function frames(doc: Doc, shown: (Section & { kind: 'frames' })['frames']): void {
  if (shown.length === 0) doc.text('保存期内没有报文')
  for (const { head, content, frame } of shown) {
    doc.fillColor(ink.text).text(head, { width })
    doc.fontSize(7.5).fillColor(ink.soft).text(content, { width })
    if (frame !== null) doc.text(frame.replaceAll(/(..)(?=.)/g, '$1 '), { width })
    doc.fontSize(9).moveDown(0.3)
  }
  doc.fillColor(ink.text)
}

const curveHeight = 150
const momentOf = (at: string) => Date.parse(`${at.replace(' ', 'T')}+08:00`)

function curve(doc: Doc, points: (Section & { kind: 'curve' })['points']): void {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) {
    doc.text('没有功率上报')
    return
  }
  room(doc, curveHeight + 30)
  const [from, to] = [momentOf(first[0]), momentOf(last[0])]
  const most = Math.max(1, ...points.map(([, power]) => power))
  const top = doc.y + 4
  const x = (at: string) => margin + 40 + ((momentOf(at) - from) / Math.max(1, to - from)) * (width - 50)
  const y = (power: number) => top + curveHeight - (power / most) * curveHeight
  doc.lineWidth(0.5).strokeColor(ink.line)
  doc.rect(margin + 40, top, width - 50, curveHeight).stroke()
  doc.moveTo(x(first[0]), y(first[1]))
  for (const [at, power] of points) doc.lineTo(x(at), y(power))
  doc.lineWidth(1).strokeColor(ink.curve).stroke()
  doc.fontSize(8).fillColor(ink.soft)
  doc.text(`${(most / 10).toFixed(1)} W`, margin, top, { width: 38 })
  doc.text('0 W', margin, top + curveHeight - 10, { width: 38 })
  doc.text(first[0], margin + 40, top + curveHeight + 3, { lineBreak: false })
  doc.text(last[0], margin + width - 100, top + curveHeight + 3, { lineBreak: false })
  doc.x = margin
  doc.y = top + curveHeight + 18
  doc.fontSize(9).fillColor(ink.text).text(`共 ${points.length} 个读数，明细见附件`)
}

/** Page numbers and the hash, on every page. */
function number(doc: Doc, hash: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Below the margin, where text would open a new page.
    doc.page.margins.bottom = 0
    doc.fontSize(7).fillColor(ink.soft)
    doc.text(`${hash}　第 ${page + 1} / ${count} 页`, margin, 841.89 - margin, {
      width,
      align: 'center',
      lineBreak: false,
    })
  }
}
