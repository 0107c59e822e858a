import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RefusalDelay } from './refusal-delay.ts'
import './input-texts.ts'
import { Refusal, refusalOf } from './refusal.ts'

/** Converts every thrown error into the response envelope. */
export function handleErrors(app: FastifyInstance, delay: RefusalDelay): void {
  app.setErrorHandler(async (error: unknown, request, reply) => {
    const refusal = error instanceof z.ZodError ? refusalOfInput(error) : (refusalOf(error) ?? httpRefusal(error))
    if (refusal === undefined) request.log.error({ err: error }, 'request failed')
    else if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, 'dependency failed')
    const { status, message, retryAfterSeconds, fields } = refusal ?? new Refusal(500, '服务器发生错误，请检查服务器。')
    const isLate =
      refusal?.waits === true || (refusal !== undefined && request.routeOptions.config.refusesLate === true)
    if (isLate && !(await delay.wait())) return dropUnanswered(request, reply)
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds))
    return reply
      .status(status)
      .send({ success: false, message, data: null, ...(fields === undefined ? {} : { fields }) })
  })
  app.setNotFoundHandler((_, reply) =>
    reply.status(404).send({ success: false, message: '请求的地址不存在', data: null }),
  )
}

/** Closes the connection without a response. */
export function dropUnanswered(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack()
  request.raw.destroy()
  return reply
}

/** A summary of the problems, and the first problem of each field. */
function refusalOfInput(error: z.ZodError): Refusal {
  const message = [...new Set(error.issues.map((issue) => issue.message))].slice(0, 5).join(';')
  // An unknown field has no path, so no name here comes from the caller.
  const named = error.issues.filter(({ path }) => path.length > 0).toReversed()
  const fields = Object.fromEntries(named.map((issue) => [String(issue.path[0]), issue.message]))
  return new Refusal(422, message, named.length === 0 ? {} : { fields })
}

/** Fastify's own errors: a body that is too large, not JSON or of an unknown type. */
function httpRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  const status = Number(error.statusCode)
  const texts: Record<number, string> = { 400: '请求格式不正确', 413: '上传内容过大', 415: '请求的格式不受支持' }
  return status >= 400 && status < 500 ? new Refusal(status, texts[status] ?? '请求不正确') : undefined
}
