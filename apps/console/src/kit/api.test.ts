import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { login } from '@wattdeck/contract/session/login.ts'
import { notification } from '@wattdeck/contract/session/notification.ts'
import { session } from '@wattdeck/contract/session/session.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { call } from './api.ts'
import { answer, stubBrowser } from './browser.fixture.ts'
import { submitTexts } from './error-handling.ts'
import { openLive } from './live.ts'
import { onSessionEnd } from './session-end.ts'
import { holdPartialToken, keepToken, readToken } from './token.ts'

let browser: ReturnType<typeof stubBrowser>
beforeEach(() => {
  browser = stubBrowser()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const failureOf = async (asked: Promise<unknown>): Promise<ApiError> =>
  asked.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as ApiError,
  )
const timeout = () => new DOMException('too late', 'TimeoutError')
const edit = () => call(basicInfo.edit, { body: { name: '张伟' } })

describe('token', () => {
  const calls = allRoutes.filter(({ route }) => route.encoding !== 'sse')
  it.each(calls)('[role.bearer-token] goes with $feature.$name', async ({ route }) => {
    keepToken('t-1')
    browser.fetch.mockImplementation(() => Promise.resolve(answer(null)))
    const params: Record<string, string> = {}
    for (const [, name = ''] of route.path.matchAll(/\{(\w+)\}/g)) params[name] = '1'
    await call(route, { params }).catch(() => undefined)
    expect(browser.fetch).toHaveBeenCalledOnce()
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer t-1')
  })

  it('[role.bearer-token] goes with the live stream', () => {
    keepToken('t-1')
    browser.fetch.mockImplementation(() => new Promise(() => undefined))
    const close = openLive({ onEvent: vi.fn<() => void>(), onState: vi.fn<() => void>() })
    close()
    expect(browser.fetch.mock.calls[0]?.[0]).toBe(notification.live.path)
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer t-1')
  })

  it('is not made up where there is none', async () => {
    browser.fetch.mockResolvedValue(answer(null))
    await call(login.captcha).catch(() => undefined)
    expect(browser.headersOf(0).has('authorization')).toBe(false)
  })

  it('that still owes a step is sent but never stored', async () => {
    holdPartialToken('half')
    browser.fetch.mockResolvedValue(answer({ access_token: 'full', stage: 'full' }))
    await call(login.secondFactor, { body: { code: '123456' } })
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer half')
    expect(readToken()).toBeNull()
    expect([...browser.kept.values()]).not.toContain('half')
    keepToken('full')
    expect([...browser.kept]).toEqual([['access-token', 'full']])
  })
})

describe('request', () => {
  it('has an id of its own, and a POST a key by which a second arrival is known', async () => {
    browser.fetch.mockImplementation(() => Promise.resolve(answer(null)))
    await edit()
    await call(basicInfo.edit, { body: { name: '张伟' }, idempotencyKey: 'key-of-the-form' })
    await call(session.userInfo).catch(() => undefined)
    const [first, second, third] = [0, 1, 2].map((at) => browser.headersOf(at))
    expect(first?.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    expect(first?.get('x-request-id')).not.toBe(second?.get('x-request-id'))
    expect(first?.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/)
    expect(second?.get('idempotency-key')).toBe('key-of-the-form')
    expect(third?.has('idempotency-key')).toBe(false)
  })

  it('waits as long as the contract says', async () => {
    const limit = vi.spyOn(AbortSignal, 'timeout')
    browser.fetch.mockImplementation(() => Promise.resolve(answer(null)))
    await edit()
    await call({ ...basicInfo.edit, timeoutMs: 5000 }, { body: { name: '张伟' } })
    expect(limit.mock.calls).toEqual([[30_000], [5000]])
  })

  it('carries no cookies', async () => {
    browser.fetch.mockResolvedValue(answer(null))
    await edit()
    expect(browser.fetch.mock.calls[0]?.[1]).toMatchObject({ credentials: 'omit', cache: 'no-store' })
  })
})
describe('answer', () => {
  it('is the message and the data of the contract', async () => {
    browser.fetch.mockResolvedValue(answer(null, { message: '保存成功' }))
    await expect(edit()).resolves.toEqual({ message: '保存成功', data: null })
  })

  it.each([200, 422, 500])(
    '[error.submit-network] with status %i and an error: the message of its body',
    async (status) => {
      browser.fetch.mockResolvedValue(answer(null, { status, success: false, message: '姓名不能为空；邮箱不正确' }))
      const failure = await failureOf(edit())
      expect(failure).toMatchObject({ failure: 'reply', status })
      expect(submitTexts(failure)).toEqual(['姓名不能为空', '邮箱不正确'])
    },
  )

  it('in HTML, from a proxy, is told by its status', async () => {
    browser.fetch.mockResolvedValue(new Response('<h1>Bad Gateway</h1>', { status: 502 }))
    expect((await failureOf(edit())).texts).toEqual(['网关错误。'])
  })

  it('that breaks the contract is an error, not data', async () => {
    browser.fetch.mockResolvedValue(answer({ surprise: true }))
    expect(await failureOf(call(session.userInfo))).toMatchObject({ failure: 'shape' })
  })

  it('that fails carries the id under which the server has logged it', async () => {
    const reply = Response.json({}, { status: 500, headers: { 'x-request-id': 'server-1' } })
    browser.fetch.mockResolvedValue(reply)
    expect((await failureOf(edit())).requestId).toBe('server-1')
  })
})

describe('no answer', () => {
  it('[error.post-timeout] to a POST: 数据响应超时，请重试', async () => {
    browser.fetch.mockRejectedValue(timeout())
    expect((await failureOf(edit())).texts).toEqual(['数据响应超时，请重试'])
  })

  it('[error.submit-timeout] a submit says 服务器响应超时', async () => {
    browser.fetch.mockRejectedValue(timeout())
    expect(submitTexts(await failureOf(edit()))).toEqual(['服务器响应超时'])
  })

  it('for want of a network says so', async () => {
    browser.fetch.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await failureOf(edit())).toMatchObject({ failure: 'network', texts: ['网络异常，请检查网络连接'] })
  })

  it('because the page has gone is the abort itself, which nobody has to hear of', async () => {
    const leaving = new AbortController()
    browser.fetch.mockImplementation(() => {
      leaving.abort()
      return Promise.reject(leaving.signal.reason as Error)
    })
    const failure = await failureOf(call(session.userInfo, { signal: leaving.signal }))
    expect(failure).not.toBeInstanceOf(ApiError)
    expect(failure.name).toBe('AbortError')
  })
})

describe('an answer of 401', () => {
  const heard = vi.fn<() => void>()
  beforeEach(() => {
    heard.mockClear()
    keepToken('t-1')
    browser.fetch.mockImplementation(() => Promise.resolve(answer(null, { status: 401, message: '会话已失效' })))
  })

  it('says that the session has ended', async () => {
    const stop = onSessionEnd(heard)
    await failureOf(edit())
    stop()
    expect(heard).toHaveBeenCalledOnce()
  })

  it('to a login is a wrong password', async () => {
    const stop = onSessionEnd(heard)
    const failure = await failureOf(call(login.byPassword, { body: { loginName: 'a', password: 'b' } }))
    stop()
    expect(heard).not.toHaveBeenCalled()
    expect(failure.texts).toEqual(['会话已失效'])
  })

  it('before anybody listens is told to the first who does', async () => {
    await failureOf(edit())
    onSessionEnd(heard)()
    onSessionEnd(heard)()
    expect(heard).toHaveBeenCalledOnce()
  })
})
