import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import * as errors from './error-handling.ts'

describe('the texts of a failed submit', () => {
  it('[valid.submit-failure] [error.submit-message] are the message of the server, split at each semicolon', () => {
    const error = errors.replyError(422, '手机号已存在；登录账号已存在', 'r1')
    expect(errors.submitTexts(error)).toEqual(['手机号已存在', '登录账号已存在'])
  })

  it('[error.submit-message] are the standard text when the server sends no message', () => {
    expect(errors.submitTexts(errors.replyError(503, undefined, 'r1'))).toEqual(['服务不可用，服务器暂时过载或维护。'])
  })

  it.each(['GET', 'POST'] as const)('[error.submit-timeout] are 服务器响应超时 for a %s', (method) => {
    expect(errors.submitTexts(errors.timeoutError(method, 'r1'))).toEqual(['服务器响应超时'])
  })

  it('are the network error when there is no response', () => {
    expect(errors.submitTexts(errors.networkError('r1', new TypeError('Failed to fetch')))).toEqual([
      '网络异常，请检查网络连接',
    ])
  })

  it('hide the details of an error in the console', () => {
    expect(errors.submitTexts(new RangeError('x is undefined'))).toEqual(['操作失败，请稍后重试'])
    expect(errors.errorText(new RangeError('x is undefined'))).toBe('页面出现异常，请刷新后重试')
  })
})

it('[error.post-timeout] a POST without an answer: 数据响应超时，请重试', () => {
  expect(errors.timeoutError('POST', 'r1').texts).toEqual(['数据响应超时，请重试'])
})

describe('401', () => {
  it('ends the session, except on login routes, where it means a wrong password or code', () => {
    expect(errors.endsSession(401, 'anyone')).toBe(true)
    expect(errors.endsSession(401, { menu: '1.1.3' })).toBe(true)
    expect(errors.endsSession(401, 'public')).toBe(false)
    expect(errors.endsSession(401, 'partial')).toBe(false)
    expect(errors.endsSession(403, 'anyone')).toBe(false)
  })

  it('shows the text of the specification', () => {
    expect(errors.sessionEndedText).toBe('登录已过期，正在跳转到登录页面')
  })
})

it('[error.reporting] reports every error except a 401', () => {
  expect(errors.isReported(errors.replyError(401, '', 'r1'))).toBe(false)
  expect(errors.isReported(errors.replyError(500, '', 'r1'))).toBe(true)
  expect(errors.isReported(errors.networkError('r1', undefined))).toBe(true)
  expect(errors.isReported(new Error('drawing failed'))).toBe(true)
})

it('an error carries its request id', () => {
  expect(errors.requestIdOf(errors.shapeError('r9', undefined))).toBe('r9')
  expect(errors.requestIdOf(new Error('x'))).toBeUndefined()
  expect(new ApiError('reply', 400, ['一', '二'], 'r1').message).toBe('一；二')
})
