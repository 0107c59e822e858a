import {
  type AnyRoute,
  type BodyOf,
  type DataOf,
  type ParamsOf,
  type QueryOf,
  refusedEnvelope,
} from '@wattdeck/contract/kit/route.ts'
import { queryHeader } from '@wattdeck/contract/kit/privacy.ts'
import { ApiError } from './api-error.ts'
import { isUnattended } from './attendance.ts'
import { isOffline, recordResponse, recordNetworkFailure } from './connection.ts'
import {
  endsSession,
  needsSecondFactor,
  networkError,
  offlineError,
  replyError,
  shapeError,
  timeoutError,
} from './error-handling.ts'
import { report } from './report.ts'
import { requestAddress, requestBody, type Sending } from './request.ts'
import { announceSessionEnd, isRenewing } from './session-end.ts'
import { requestSecondFactor } from './step-up.ts'
import { bearerToken, wasRenewed } from './token.ts'
import { uniqueId } from './unique-id.ts'

export type CallInput<R extends AnyRoute> = {
  params?: ParamsOf<R>
  query?: Partial<QueryOf<R>>
  body?: BodyOf<R>
  file?: Blob
  signal?: AbortSignal
  idempotencyKey?: string
  /** The request may outlive the page. */
  keepalive?: boolean
}
export type Reply<R extends AnyRoute> = { message: string; data: DataOf<R> }
type Answer = { success?: unknown; message?: unknown; data?: unknown }

/** The shared client of spec §7. Rejects with an ApiError, or with the abort of the given signal. */
export const call = <R extends AnyRoute>(route: R, input: CallInput<R> = {}): Promise<Reply<R>> =>
  guarded(route, input, exchange)

/** Calls a route that returns a file. Resolves to its bytes and file name; rejects like `call`. */
export const fetchFile = <R extends AnyRoute>(route: R, input: CallInput<R> = {}): Promise<FetchedFile> =>
  guarded(route, input, exchangeFile)
export type FetchedFile = { blob: Blob; name: string }

type Work<R extends AnyRoute, T> = (route: R, input: CallInput<R>, requestId: string) => Promise<T>

const guarded = <R extends AnyRoute, T>(route: R, input: CallInput<R>, work: Work<R, T>): Promise<T> =>
  // A retry sends the same idempotency key, so that the server can deduplicate it.
  attempt(route, { ...input, idempotencyKey: input.idempotencyKey ?? uniqueId() }, work, true)

async function attempt<R extends AnyRoute, T>(
  route: R,
  input: CallInput<R>,
  work: Work<R, T>,
  mayRepeat: boolean,
): Promise<T> {
  const requestId = uniqueId()
  if (route.method === 'POST' && isOffline()) throw offlineError(requestId)
  const token = bearerToken()
  try {
    return await work(route, input, requestId)
  } catch (error) {
    if (input.signal?.aborted) throw error
    const failure = error instanceof ApiError ? error : fromTransport(route, requestId, error)
    if (failure.failure === 'network') recordNetworkFailure()
    if (endsSession(failure.status, route.access) && token !== null && (await isRenewed(token)) && mayRepeat)
      return attempt(route, input, work, false)
    if (needsSecondFactor(failure.status) && mayRepeat && (await requestSecondFactor()))
      return attempt(route, input, work, false)
    report(failure)
    throw failure
  }
}

/** Announces that the session of this token has ended. Resolves to whether a new session has replaced it. */
async function isRenewed(token: string): Promise<boolean> {
  if (token === bearerToken() || isRenewing()) return announceSessionEnd()
  // A late 401 for an old token does not end the session that replaced it.
  return wasRenewed(token)
}

function fromTransport(route: AnyRoute, requestId: string, error: unknown): ApiError {
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
  return timedOut ? timeoutError(route.method, requestId) : networkError(requestId, error)
}

async function exchange<R extends AnyRoute>(route: R, input: CallInput<R>, requestId: string): Promise<Reply<R>> {
  const response = await send(route, input, requestId, AbortSignal.timeout(route.timeoutMs))
  const answer = await readAnswer(response)
  const message = typeof answer?.message === 'string' ? answer.message : ''
  const servedAs = response.headers.get('x-request-id') ?? requestId
  if (!response.ok || answer?.success !== true)
    throw replyError(response.status, message, servedAs, refusedEnvelope.safeParse(answer).data?.fields)
  const parsed = route.data.safeParse(answer.data) as { success: boolean; data?: unknown; error?: unknown }
  if (!parsed.success) throw shapeError(servedAs, parsed.error)
  return { message, data: parsed.data as DataOf<R> }
}

/** The timeout covers only the start of the response; the download of a large file may take longer. */
async function exchangeFile<R extends AnyRoute>(
  route: R,
  input: CallInput<R>,
  requestId: string,
): Promise<FetchedFile> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), route.timeoutMs)
  const response = await send(route, input, requestId, limit.signal).finally(() => clearTimeout(timer))
  if (response.ok) return { blob: await response.blob(), name: sentName(response.headers.get('content-disposition')) }
  const message = (await readAnswer(response))?.message
  const servedAs = response.headers.get('x-request-id') ?? requestId
  throw replyError(response.status, typeof message === 'string' ? message : '', servedAs)
}

function sentName(disposition: string | null): string {
  const encoded = /filename\*=UTF-8''([\w.~%-]+)/.exec(disposition ?? '')?.[1]
  return encoded === undefined ? '文件' : decodeURIComponent(encoded)
}

async function send<R extends AnyRoute>(route: R, input: CallInput<R>, requestId: string, timeout: AbortSignal) {
  const { body, contentType } = requestBody(route, input as Sending)
  const { url, hiddenQuery } = requestAddress(route, input as Sending)
  const headers = requestHeaders(route, requestId, contentType, input.idempotencyKey)
  if (hiddenQuery !== '') headers.set(queryHeader, hiddenQuery)
  const response = await fetch(url, {
    method: route.method,
    headers,
    body: body ?? null,
    signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    cache: 'no-store',
    credentials: 'omit',
    keepalive: input.keepalive ?? false,
  })
  recordResponse()
  return response
}

function requestHeaders(route: AnyRoute, requestId: string, contentType?: string, idempotencyKey?: string): Headers {
  const headers = new Headers({ Accept: 'application/json', 'X-Request-Id': requestId })
  const token = bearerToken()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (contentType) headers.set('Content-Type', contentType)
  if (isUnattended()) headers.set('X-Unattended', '1')
  if (route.method === 'POST' && !route.reads) headers.set('Idempotency-Key', idempotencyKey ?? uniqueId())
  return headers
}

/** Undefined for a body that is not JSON, such as HTML from a proxy; the caller then relies on the status. */
async function readAnswer(response: Response): Promise<Answer | undefined> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Answer
  } catch {
    return undefined
  }
}
