import { allRoutes } from '@wattdeck/contract/all-routes.ts'
import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { file } from '@wattdeck/contract/auth/file.ts'
import { login } from '@wattdeck/contract/auth/login.ts'
import { notification } from '@wattdeck/contract/auth/notification.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { call, fetchFile } from './api.ts'
import { answer, stubBrowser } from './browser.fixture.ts'
import { isOffline, recordResponse } from './connection.ts'
import { submitTexts } from './error-handling.ts'
import { openLive } from '../live/live.ts'
import { onSessionEnd } from './session-end.ts'
import { saveFile } from './save-file.ts'
import { dropPartialToken, setPartialToken, storeToken, readToken, renewToken } from './token.ts'

let browser: ReturnType<typeof stubBrowser>
beforeEach(() => {
  browser = stubBrowser()
  dropPartialToken()
  recordResponse()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const failureOf = async (request: Promise<unknown>): Promise<ApiError> =>
  request.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as ApiError,
  )
const timeout = () => new DOMException('too late', 'TimeoutError')
const edit = () => call(basicInfo.edit, { body: { name: '张伟' } })

describe('token', () => {
  const calls = allRoutes.filter(({ route }) => route.encoding !== 'sse')
  it('[role.bearer-token] goes with the call of every route', async () => {
    storeToken('t-1')
    browser.fetch.mockImplementation(() => Promise.resolve(answer(null)))
    const without: string[] = []
    for (const [place, { feature, name, route }] of calls.entries()) {
      const params: Record<string, string> = {}
      for (const [, param = ''] of route.path.matchAll(/\{(\w+)\}/g)) params[param] = '1'
      await call(route, { params }).catch(() => undefined)
      if (browser.headersOf(place).get('authorization') !== 'Bearer t-1') without.push(`${feature}.${name}`)
    }
    expect(without).toEqual([])
    expect(browser.fetch).toHaveBeenCalledTimes(calls.length)
  })

  it('[role.bearer-token] goes with the live stream', () => {
    storeToken('t-1')
    browser.fetch.mockImplementation(() => new Promise(() => undefined))
    const close = openLive({ onEvent: vi.fn<() => void>(), onState: vi.fn<() => void>() })
    close()
    expect(browser.fetch.mock.calls[0]?.[0]).toBe(notification.live.path)
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer t-1')
  })

  it('does not end the session of the token that replaced it', async () => {
    storeToken('t-1')
    let speak = (_event: object) => {}
    browser.fetch.mockResolvedValue(
      new Response(
        new ReadableStream({
          start: (stream) => {
            speak = (event) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
          },
        }),
      ),
    )
    const eventKinds: string[] = []
    const close = openLive({ onEvent: ({ kind }) => eventKinds.push(kind), onState: vi.fn<() => void>() })
    speak({ kind: 'revoked' })
    await vi.waitFor(() => expect(eventKinds).toEqual(['revoked']))
    storeToken('t-2')
    speak({ kind: 'revoked' })
    speak({ kind: 'rights' })
    await vi.waitFor(() => expect(eventKinds).toEqual(['revoked', 'rights']))
    close()
  })

  it('is not sent when there is none', async () => {
    browser.fetch.mockResolvedValue(answer(null))
    await call(login.captcha).catch(() => undefined)
    expect(browser.headersOf(0).has('authorization')).toBe(false)
  })

  it('is sent but never stored while a login step is missing', async () => {
    setPartialToken('half')
    browser.fetch.mockResolvedValue(answer({ access_token: 'full', stage: 'full' }))
    await call(login.secondFactor, { body: { code: '123456' } })
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer half')
    expect(readToken()).toBeNull()
    expect([...browser.kept.values()]).not.toContain('half')
    storeToken('full')
    expect([...browser.kept]).toEqual([['access-token', 'full']])
  })
})

describe('request', () => {
  it('has a unique id, and a POST has an idempotency key', async () => {
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

  it('times out after the limit of its route', async () => {
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
describe('response', () => {
  it('resolves to the message and the data of the contract', async () => {
    browser.fetch.mockResolvedValue(answer(null, { message: '保存成功' }))
    await expect(edit()).resolves.toEqual({ message: '保存成功', data: null })
  })

  it.each([200, 422, 500])(
    '[error.submit-network] with status %i rejects with the message of its body',
    async (status) => {
      browser.fetch.mockResolvedValue(answer(null, { status, success: false, message: '姓名不能为空；邮箱不正确' }))
      const failure = await failureOf(edit())
      expect(failure).toMatchObject({ failure: 'reply', status })
      expect(submitTexts(failure)).toEqual(['姓名不能为空', '邮箱不正确'])
    },
  )

  it('names the rejected fields of a form', async () => {
    const fields = { email: '邮箱不正确' }
    const refusal = { success: false, message: '邮箱不正确', data: null }
    browser.fetch.mockResolvedValue(Response.json({ ...refusal, fields }, { status: 422 }))
    expect((await failureOf(edit())).fields).toEqual(fields)
    browser.fetch.mockResolvedValue(Response.json({ ...refusal, fields: ['email'] }, { status: 422 }))
    expect((await failureOf(edit())).fields).toEqual({})
  })

  it('in HTML from a proxy becomes the text of its status', async () => {
    browser.fetch.mockResolvedValue(new Response('<h1>Bad Gateway</h1>', { status: 502 }))
    expect((await failureOf(edit())).texts).toEqual(['网关错误。'])
  })

  it('that violates the contract is an error', async () => {
    browser.fetch.mockResolvedValue(answer({ surprise: true }))
    expect(await failureOf(call(session.userInfo))).toMatchObject({ failure: 'shape' })
  })

  it('with an error carries the request id of the server', async () => {
    const reply = Response.json({}, { status: 500, headers: { 'x-request-id': 'server-1' } })
    browser.fetch.mockResolvedValue(reply)
    expect((await failureOf(edit())).requestId).toBe('server-1')
  })
})

describe('no response', () => {
  it('[error.post-timeout] to a POST: 数据响应超时，请重试', async () => {
    browser.fetch.mockRejectedValue(timeout())
    expect((await failureOf(edit())).texts).toEqual(['数据响应超时，请重试'])
  })

  it('[error.submit-timeout] to a submit: 服务器响应超时', async () => {
    browser.fetch.mockRejectedValue(timeout())
    expect(submitTexts(await failureOf(edit()))).toEqual(['服务器响应超时'])
  })

  it('without a network: 网络异常，请检查网络连接', async () => {
    browser.fetch.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await failureOf(edit())).toMatchObject({ failure: 'network', texts: ['网络异常，请检查网络连接'] })
  })

  it('because the page was left rejects with the AbortError', async () => {
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

describe('a 401 response', () => {
  const listener = vi.fn<() => void>()
  beforeEach(() => {
    listener.mockClear()
    storeToken('t-1')
    browser.fetch.mockImplementation(() => Promise.resolve(answer(null, { status: 401, message: '会话已失效' })))
  })

  it('announces the end of the session', async () => {
    const stop = onSessionEnd(listener)
    await failureOf(edit())
    stop()
    expect(listener).toHaveBeenCalledOnce()
  })

  it('to a login means a wrong password', async () => {
    const stop = onSessionEnd(listener)
    const failure = await failureOf(call(login.byPassword, { body: { loginName: 'a', password: 'b' } }))
    stop()
    expect(listener).not.toHaveBeenCalled()
    expect(failure.texts).toEqual(['会话已失效'])
  })

  it('without a listener is delivered to the first one that subscribes', async () => {
    await failureOf(edit())
    onSessionEnd(listener)()
    onSessionEnd(listener)()
    expect(listener).toHaveBeenCalledOnce()
  })
})

describe('a file', () => {
  const sheet = (disposition: string) =>
    new Response('bytes', { headers: { 'content-disposition': disposition, 'content-type': 'text/csv' } })
  const disposition = `attachment; filename="__.csv"; filename*=UTF-8''%E8%AE%A2%E5%8D%95.csv`
  const fetched = () => fetchFile(file.content, { params: { id: '7' } })

  it('is fetched with the token and resolves to bytes and a file name', async () => {
    storeToken('t-1')
    browser.fetch.mockResolvedValue(sheet(disposition))
    const { blob, name } = await fetched()
    expect([await blob.text(), blob.type, name]).toEqual(['bytes', 'text/csv', '订单.csv'])
    expect(browser.fetch.mock.calls[0]?.[0]).toBe('/seeker/api/file/7')
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer t-1')
  })

  it('without a name gets the default name', async () => {
    browser.fetch.mockResolvedValue(sheet('attachment'))
    expect((await fetched()).name).toBe('文件')
  })

  it('that is refused rejects with the ApiError of its envelope', async () => {
    browser.fetch.mockResolvedValue(answer(null, { status: 503, message: '文件服务暂不可用' }))
    expect(await failureOf(fetched())).toMatchObject({ failure: 'reply', status: 503, texts: ['文件服务暂不可用'] })
  })

  it('must begin within the timeout of its route, but may download for longer', async () => {
    vi.useFakeTimers()
    browser.fetch.mockImplementation(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    const failing = failureOf(fetched())
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await failing).toMatchObject({ failure: 'timeout' })
    let signalOfFetch: AbortSignal | null | undefined
    browser.fetch.mockImplementation((_, { signal }) => {
      signalOfFetch = signal
      return Promise.resolve(sheet(disposition))
    })
    await fetched()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(signalOfFetch?.aborted).toBe(false)
    vi.useRealTimers()
  })

  it('is saved under its name', async () => {
    const link = { href: '', download: '', click: vi.fn<() => void>() }
    vi.stubGlobal('document', { createElement: () => link })
    const createUrl = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
    browser.fetch.mockResolvedValue(sheet(disposition))
    await saveFile(file.content, { params: { id: '7' } })
    expect(createUrl).toHaveBeenCalledOnce()
    expect(link).toMatchObject({ href: 'blob:1', download: '订单.csv' })
    expect(link.click).toHaveBeenCalledOnce()
  })
})

describe('a session that is renewed over the page', () => {
  const tokens = () => browser.fetch.mock.calls.map((_, at) => browser.headersOf(at).get('authorization'))
  /** The server accepts only this token. */
  const serve = (good: string) =>
    browser.fetch.mockImplementation((_, { headers }) =>
      Promise.resolve(
        new Headers(headers).get('authorization') === `Bearer ${good}` ? answer(null) : answer(null, { status: 401 }),
      ),
    )
  /** A user who logs in again when the session ends. */
  const logsIn = () =>
    onSessionEnd(async () => {
      await Promise.resolve()
      renewToken('t-2')
      return true
    })
  beforeEach(() => storeToken('t-1'))

  it('retries a refused request once, with the same idempotency key', async () => {
    serve('t-2')
    const stop = logsIn()
    await expect(edit()).resolves.toMatchObject({ data: null })
    stop()
    expect(tokens()).toEqual(['Bearer t-1', 'Bearer t-2'])
    const keys = [0, 1].map((at) => browser.headersOf(at).get('idempotency-key'))
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
  })

  it('requests one login for all concurrent calls', async () => {
    serve('t-2')
    const requestLogin = vi.fn<() => void>()
    let logIn: () => void = () => undefined
    const stop = onSessionEnd(async () => {
      requestLogin()
      await new Promise<void>((resolve) => {
        logIn = resolve
      })
      renewToken('t-2')
      return true
    })
    const calls = [edit(), edit()]
    await vi.waitFor(() => expect(requestLogin).toHaveBeenCalled())
    setPartialToken('half')
    calls.push(edit())
    await vi.waitFor(() => expect(browser.fetch).toHaveBeenCalledTimes(3))
    await Promise.resolve()
    logIn()
    await Promise.all(calls)
    stop()
    expect(requestLogin).toHaveBeenCalledOnce()
    expect(tokens()).toEqual(['Bearer t-1', 'Bearer t-1', 'Bearer half', 'Bearer t-2', 'Bearer t-2', 'Bearer t-2'])
  })

  it('retries a request whose old token is refused after the renewal', async () => {
    const stop = logsIn()
    let late: (reply: Response) => void = () => undefined
    browser.fetch.mockReturnValueOnce(
      new Promise((resolve) => {
        late = resolve
      }),
    )
    const slow = edit()
    serve('t-2')
    await edit()
    late(answer(null, { status: 401 }))
    await expect(slow).resolves.toMatchObject({ data: null })
    stop()
  })

  it('does not retry twice when the new session is refused as well', async () => {
    serve('nobody')
    const stop = logsIn()
    expect(await failureOf(edit())).toMatchObject({ status: 401 })
    stop()
    expect(browser.fetch).toHaveBeenCalledTimes(2)
  })

  it('fails the call when the user cancels the login', async () => {
    serve('t-2')
    const stop = onSessionEnd(() => Promise.resolve(false))
    expect(await failureOf(edit())).toMatchObject({ status: 401 })
    stop()
    expect(browser.fetch).toHaveBeenCalledOnce()
  })
})

describe('without a network', () => {
  const lost = () => browser.fetch.mockRejectedValue(new TypeError('Failed to fetch'))

  it('goes offline after two failures, and online after any response', async () => {
    lost()
    await failureOf(edit())
    expect(isOffline()).toBe(false)
    await failureOf(edit())
    expect(isOffline()).toBe(true)
    browser.fetch.mockResolvedValue(answer(null, { status: 500 }))
    await failureOf(call(session.userInfo))
    expect(isOffline()).toBe(false)
  })

  it('refuses a change at once with the reason, but still tries a read', async () => {
    lost()
    await failureOf(edit())
    await failureOf(edit())
    browser.fetch.mockClear()
    const failure = await failureOf(edit())
    expect(submitTexts(failure)).toEqual(['网络已断开，暂时无法提交，请在恢复连接后重试'])
    expect(browser.fetch).not.toHaveBeenCalled()
    await failureOf(call(session.userInfo))
    expect(browser.fetch).toHaveBeenCalledOnce()
  })

  it('does not go offline after timeouts', async () => {
    browser.fetch.mockRejectedValue(timeout())
    for (let times = 0; times < 3; times++) await failureOf(edit())
    expect(isOffline()).toBe(false)
  })
})
