import type { Access } from '@wattdeck/contract/kit/route.ts'
import { errorTexts } from '@wattdeck/domain/http-status.ts'
import { ApiError } from './api-error.ts'

/** Error texts of spec §8, without rendering so that each rule can be tested. */
export const sessionEndedText = '登录已过期，正在跳转到登录页面'
const submitTimeoutText = '服务器响应超时'
const postTimeoutText = '数据响应超时，请重试'
const networkText = '网络异常，请检查网络连接'
const offlineText = '网络已断开，暂时无法提交，请在恢复连接后重试'
const failedText = '操作失败，请稍后重试'

export const replyError = (
  status: number,
  message: string | undefined,
  requestId: string,
  fields?: Readonly<Record<string, string>>,
) => new ApiError('reply', status, errorTexts(status, message), requestId, { fields })

/** The text of the shared client; a submit replaces it, see submitTexts. */
export const timeoutError = (method: 'GET' | 'POST', requestId: string) =>
  new ApiError('timeout', 0, [method === 'POST' ? postTimeoutText : submitTimeoutText], requestId)

export const networkError = (requestId: string, cause: unknown) =>
  new ApiError('network', 0, [networkText], requestId, { cause })

/** The client rejects the call before sending it, so nothing has changed. */
export const offlineError = (requestId: string) => new ApiError('network', 0, [offlineText], requestId)

export const shapeError = (requestId: string, cause: unknown) =>
  new ApiError('shape', 200, ['服务器返回的数据格式不正确'], requestId, { cause })

/** On login routes (public, partial) a 401 means a wrong password or code; on all others the session has ended. */
export const endsSession = (status: number, access: Access) =>
  status === 401 && access !== 'public' && access !== 'partial'

/** 428: the server requires the second factor again. */
export const needsSecondFactor = (status: number) => status === 428

export const isReported = (error: unknown) => !(error instanceof ApiError && error.status === 401)

/** The lines to show when a submit failed. */
export function submitTexts(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) return [failedText]
  return error.failure === 'timeout' ? [submitTimeoutText] : error.texts
}

export const errorText = (error: unknown) =>
  error instanceof ApiError ? error.texts.join('；') : '页面出现异常，请刷新后重试'

export const requestIdOf = (error: unknown) => (error instanceof ApiError ? error.requestId : undefined)
