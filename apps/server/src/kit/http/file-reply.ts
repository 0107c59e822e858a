import type { FileReply } from '@wattdeck/contract/kit/route.ts'
import { cleanFileName } from '@wattdeck/domain/file-name.ts'
import type { FastifyReply } from 'fastify'
import type { Files } from '../files/files.ts'

// Types that browsers display inline; all others are downloads.
const inlineTypes = /^image\/(?:webp|png|jpeg)$/

/** Streams an object to the client. The headers stop any script in it from running. */
export async function sendFile(
  files: Files,
  reply: FastifyReply,
  { key, name, type }: FileReply,
): Promise<FastifyReply> {
  const { body, bytes } = await files.getStream(key)
  if (bytes !== undefined) void reply.header('content-length', bytes)
  return reply
    .header('content-type', type)
    .header('content-disposition', contentDisposition(name, inlineTypes.test(type) ? 'inline' : 'attachment'))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .send(body)
}

/** RFC 6266: an ASCII name for old clients, and the full name in RFC 5987 encoding. */
function contentDisposition(name: string, how: 'inline' | 'attachment'): string {
  const clean = cleanFileName(name, 'file')
  const plain = clean.replaceAll(/[^\w. -]/g, '_')
  const encoded = encodeURIComponent(clean).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
