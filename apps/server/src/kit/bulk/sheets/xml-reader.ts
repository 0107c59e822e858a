import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { damaged, limits, tooMuch } from './sheet-limits.ts'

export type Attributes = Record<string, string>
export type Listener = {
  open?: (name: string, attributes: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

/**
 * Parses XML as a stream, without a tree. Only the five predefined entities are supported; any DOCTYPE is refused. Names are
 * reported without their prefix.
 */
export async function readXml(chunks: AsyncIterable<Buffer>, listener: Listener): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let silent = 0
  let depth = 0
  let tags = 0
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0
    if (++depth > limits.depth) throw damaged()
    if (++tags > limits.tags) throw tooMuch()
    listener.open?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    silent = 0
    depth--
    listener.close?.(localName(name))
  })
  parser.on('text', (text) => listener.text?.(text))
  parser.on('cdata', (text) => listener.text?.(text))
  parser.on('doctype', () => {
    throw damaged()
  })
  parser.on('error', () => {
    throw damaged()
  })
  for await (const chunk of chunks) {
    silent += chunk.length
    if (silent > limits.silentBytes) throw damaged()
    parser.write(decoded(decoder, chunk))
  }
  parser.write(decoded(decoder))
  parser.close()
}

function decoded(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw damaged()
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
