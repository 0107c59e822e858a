import type { AnyRoute, BodyOf, DataOf, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { ApiError } from './api-error.ts'
import { endsSession, networkError, replyError, shapeError, timeoutError } from './error-handling.ts'
import { report } from './report.ts'
import { requestBody, requestUrl, type Sending } from './request.ts'
import { announceSessionEnd } from './session-end.ts'
import { bearerToken } from './token.ts'
import { uniqueId } from './unique-id.ts'

export type CallInput<R extends AnyRoute> = {
  params?: ParamsOf<R>
  query?: Partial<QueryOf<R>>
  body?: BodyOf<R>
  file?: Blob
  signal?: AbortSignal
  idempotencyKey?: string
}
export type Reply<R extends AnyRoute> = { message: string; data: DataOf<R> }
type Answer = { success?: unknown; message?: unknown; data?: unknown }

/** The shared client of spec §7. Rejects with an ApiError, or with the abort of the given signal. */
export async function call<R extends AnyRoute>(route: R, input: CallInput<R> = {}): Promise<Reply<R>> {
  const requestId = uniqueId()
  const token = bearerToken()
  try {
    return await exchange(route, input, requestId)
  } catch (error) {
    if (input.signal?.aborted) throw error
    const failure = error instanceof ApiError ? error : fromTransport(route, requestId, error)
    // A late answer to an old session says nothing about the one that has begun since.
    if (endsSession(failure.status, route.access) && token !== null && token === bearerToken()) announceSessionEnd()
    report(failure)
    throw failure
  }
}

function fromTransport(route: AnyRoute, requestId: string, error: unknown): ApiError {
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return timedOut ? timeoutError(route.method, requestId) : networkError(requestId, error)
}

async function exchange<R extends AnyRoute>(route: R, input: CallInput<R>, requestId: string): Promise<Reply<R>> {
  const timeout = AbortSignal.timeout(route.timeoutMs)
  const { body, contentType } = requestBody(route, input as Sending)
  const response = await fetch(requestUrl(route, input as Sending), {
    method: route.method,
    headers: requestHeaders(route, requestId, contentType, input.idempotencyKey),
    body: body ?? null,
    signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    cache: 'no-store',
    credentials: 'omit',
  })
  const answer = await readAnswer(response)
  const message = typeof answer?.message === 'string' ? answer.message : ''
  const servedAs = response.headers.get('x-request-id') ?? requestId
  if (!response.ok || answer?.success !== true) throw replyError(response.status, message, servedAs)
  const parsed = route.data.safeParse(answer.data) as { success: boolean; data?: unknown; error?: unknown }
  if (!parsed.success) throw shapeError(servedAs, parsed.error)
  return { message, data: parsed.data as DataOf<R> }
}

function requestHeaders(route: AnyRoute, requestId: string, contentType?: string, idempotencyKey?: string): Headers {
  const headers = new Headers({ Accept: 'application/json', 'X-Request-Id': requestId })
  const token = bearerToken()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (contentType) headers.set('Content-Type', contentType)
  if (route.method === 'POST') headers.set('Idempotency-Key', idempotencyKey ?? uniqueId())
  return headers
}

/** A proxy may answer in HTML; then the status alone must do. */
async function readAnswer(response: Response): Promise<Answer | undefined> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Answer
  } catch {
    return undefined
  }
}
