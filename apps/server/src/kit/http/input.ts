import { queryHeader } from '@wattdeck/contract/kit/privacy.ts'
import type { AnyRoute, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { FastifyRequest } from 'fastify'
import { parseFields } from './forms.ts'
import { Refusal } from './refusal.ts'
import { readUpload, type Upload, type UploadMemory } from './uploads.ts'

export type Input = { params: unknown; query: unknown; body: unknown; file: Upload | undefined }

/** Merges the query string with the fields that the console sends in a header. Signed calls use the query string only. */
export function readQuery<R extends AnyRoute>(route: R, request: FastifyRequest): QueryOf<R> {
  const { text = '' } = request.query as { text?: string }
  const hidden = request.headers[queryHeader]
  const all = typeof hidden === 'string' && route.access !== 'signed' ? `${text}&${hidden}` : text
  return route.query.parse({ ...parseFields(all) }) as QueryOf<R>
}

/** Parses a request with the schemas of the contract. */
export async function readInput(route: AnyRoute, request: FastifyRequest, memory: UploadMemory): Promise<Input> {
  const params: unknown = route.params.parse({ ...(request.params as object) })
  const query: unknown = readQuery(route, request)
  if (route.method === 'GET') return { params, query, body: {}, file: undefined }
  if (route.encoding === 'multipart') {
    const { fields, file } = await readUpload(route, request, memory)
    return { params, query, body: route.body.parse(fields) as unknown, file }
  }
  if (route.encoding === 'raw') {
    const head = Object.fromEntries(Object.entries(request.headers).filter(([, value]) => typeof value === 'string'))
    const bytes = request.body ?? Buffer.alloc(0)
    return { params, query, body: route.body.parse({ head, bytes }) as unknown, file: undefined }
  }
  const body = (request.body ?? {}) as object
  const contentType = request.headers['content-type']
  const expectedType = route.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (contentType !== undefined && !contentType.startsWith(expectedType)) throw new Refusal(415, '请求的格式不受支持')
  return {
    params,
    query,
    body: route.body.parse(route.encoding === 'json' ? body : { ...body }) as unknown,
    file: undefined,
  }
}
