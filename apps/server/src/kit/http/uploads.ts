import type { MultipartFile } from '@fastify/multipart'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { pictureMaxBytes } from '@wattdeck/domain/limits.ts'
import type { FastifyRequest } from 'fastify'
import { overloaded, Refusal } from './refusal.ts'

/** An uploaded file. Name and type come from the client and are not trusted. */
export type Upload = { name: string; type: string; bytes: Buffer }

// Overhead of a multipart body: boundaries, headers of parts and a few fields.
const wrapping = 64 * 1024
const maxHeld = 128 * 1024 * 1024
let usedBytes = 0

/** Accounts for the upload memory of one request against the limit that all requests of a process share. */
export class UploadMemory {
  #own = 0
  add(bytes: number): void {
    this.#own += bytes
    usedBytes += bytes
    if (usedBytes > maxHeld) throw overloaded()
  }
  free(): void {
    usedBytes -= this.#own
    this.#own = 0
  }
}

/** Reads the file of a multipart request and the fields before it. Enforces the limit of the route while receiving. */
export async function readUpload(route: AnyRoute, request: FastifyRequest, memory: UploadMemory) {
  if (!request.isMultipart()) throw new Refusal(415, '请求的格式不受支持')
  try {
    if (Number(request.headers['content-length'] ?? 0) > route.maxBytes + wrapping) throw tooLarge(route)
    const part = await firstFile(route, request)
    const bytes = await collect(part, route, memory)
    return { fields: fieldsOf(part), file: { name: part.filename ?? '', type: part.mimetype, bytes } satisfies Upload }
  } catch (error) {
    // Discards the rest of the body until the server's timeout, so that the client can read the refusal.
    request.raw.resume()
    throw error
  }
}

async function firstFile(route: AnyRoute, request: FastifyRequest): Promise<MultipartFile> {
  const limits = { fileSize: route.maxBytes, files: 1, fields: 10, parts: 11, fieldSize: 4096, fieldNameSize: 100 }
  const part = await request.file({ limits, throwFileSizeLimit: false }).catch(() => {
    throw new Refusal(422, '上传失败，文件格式不正确')
  })
  if (part === undefined) throw new Refusal(422, '请选择文件')
  return part
}

async function collect({ file }: MultipartFile, route: AnyRoute, memory: UploadMemory): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file as AsyncIterable<Buffer>) {
    memory.add(chunk.length)
    chunks.push(chunk)
    if (file.truncated) throw tooLarge(route)
  }
  if (file.truncated) throw tooLarge(route)
  return Buffer.concat(chunks)
}

const tooLarge = ({ maxBytes }: AnyRoute) =>
  new Refusal(413, maxBytes === pictureMaxBytes ? '图片大小不能超过800KB' : '上传内容过大')

/** Accepts one text per key, as a form does. */
function fieldsOf({ fields }: MultipartFile): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined || 'file' in field) continue
    if (Array.isArray(field) || typeof field.value !== 'string')
      throw new Refusal(422, `参数 ${name.slice(0, 40)} 重复`)
    texts[name] = field.value
  }
  return texts
}
