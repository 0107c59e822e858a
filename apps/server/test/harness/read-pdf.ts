import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

type Attached = Record<string, { filename: string; content: Uint8Array }> | null

/** The text of a PDF as a reader copies it, and its attachments. */
export async function readPdf(bytes: Buffer): Promise<{ text: string; attachments: Record<string, string> }> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const pages: string[] = []
  for (let page = 1; page <= pdf.numPages; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(''))
  }
  const attached = (await pdf.getAttachments()) as Attached
  const attachments = Object.fromEntries(
    Object.values(attached ?? {}).map(({ filename, content }) => [filename, Buffer.from(content).toString()]),
  )
  await pdf.destroy()
  return { text: pages.join('\n'), attachments }
}
