import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, stubBrowser } from '../kit/api/browser.fixture.ts'
import { recordResponse } from '../kit/api/connection.ts'
import { queryClient } from '../kit/api/queries.ts'
import { menuNode, userInfo } from '../kit/api/session.fixture.ts'
import { registerRouter } from '../kit/api/session.ts'
import { onSessionEnd } from '../kit/api/session-end.ts'
import { onToast, type Toast } from '../kit/display/toasts.ts'
import { storeToken, readToken } from '../kit/api/token.ts'
import { guardLoader } from './guard-loader.ts'

const setAppearance = vi.hoisted(() => vi.fn<(look: unknown) => void>())
vi.mock('../kit/theme/appearance.ts', () => ({ setAppearance }))

let browser: ReturnType<typeof stubBrowser>
const toasts: Toast[] = []
const wentTo = vi.fn<(path: string) => void>()
onToast((one) => toasts.push(one))
registerRouter(wentTo)

beforeEach(() => {
  vi.useFakeTimers()
  browser = stubBrowser()
  queryClient.clear()
  recordResponse()
  toasts.length = 0
  wentTo.mockClear()
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const lazy = () => expect.unreachable('nothing is drawn here')
const staff = { name: 'staff', path: '/system/staff', title: '员工管理', centre: 'system', menuKey: '1.1.3', lazy }
const granted = userInfo({ menuTree: [menuNode('1.1.3')] })
const arriving = { request: new Request('http://console.test/system/staff?pageNum=2') }

/** The outcome of a navigation: 'on', a path, or a status. */
async function outcome(): Promise<string | number> {
  const result = guardLoader(staff)(arriving).then(
    () => 'on',
    (thrown: Response) => thrown.headers.get('location') ?? thrown.status,
  )
  await vi.runAllTimersAsync()
  return result
}

describe('a navigation', () => {
  it('[guard.no-token] [error.not-logged-in] without a token warns and redirects to login', async () => {
    await expect(outcome()).resolves.toBe('/login?redirect=%2Fsystem%2Fstaff%3FpageNum%3D2')
    expect(toasts).toEqual([{ tone: 'warning', text: '您还未登录，请先登录！' }])
    expect(browser.fetch).not.toHaveBeenCalled()
  })

  it('[guard.no-user] with a token fetches user and menu once, then continues', async () => {
    storeToken('t-1')
    browser.fetch.mockImplementation(() => Promise.resolve(answer(granted)))
    await expect(outcome()).resolves.toBe('on')
    await expect(outcome()).resolves.toBe('on')
    expect(browser.fetch).toHaveBeenCalledOnce()
    expect(browser.fetch.mock.calls[0]?.[0]).toBe('/seeker/api/user/userInfo')
    expect(setAppearance).toHaveBeenCalledWith({ theme: 'dark', color: '#13C2C2' })
  })

  it.each([
    ['/overdue', userInfo({ menuTree: [menuNode('1.1.3')], basicServiceStatus: 2 })],
    [403, userInfo()],
  ])('[guard.no-user] is decided again with the fetched user: %s', async (where, user) => {
    storeToken('t-1')
    browser.fetch.mockResolvedValue(answer(user))
    await expect(outcome()).resolves.toBe(where)
  })
})

describe('a failed fetch of the user', () => {
  it('[error.session-fetch] logs out and rejects', async () => {
    storeToken('t-1')
    browser.fetch.mockResolvedValue(answer(null, { status: 500, message: '系统繁忙' }))
    await expect(outcome()).resolves.toBe('/login')
    expect(toasts).toEqual([{ tone: 'error', text: '系统繁忙' }])
    expect(readToken()).toBeNull()
    expect(wentTo).toHaveBeenCalledWith('/login')
  })

  it('[error.session-fetch] redirects half a second later, as every logout does', async () => {
    storeToken('t-1')
    browser.fetch.mockResolvedValue(answer(null, { status: 500 }))
    const result = guardLoader(staff)(arriving).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(499)
    expect(wentTo).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(wentTo).toHaveBeenCalledOnce()
    await result
  })

  it('without a network is retried once before it logs out', async () => {
    storeToken('t-1')
    browser.fetch.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValueOnce(answer(granted))
    await expect(outcome()).resolves.toBe('on')
    expect(toasts).toEqual([])
    expect(readToken()).toBe('t-1')

    queryClient.clear()
    browser.fetch.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(outcome()).resolves.toBe('/login')
    expect(readToken()).toBeNull()
  })

  it('because the session has ended is left to its listeners', async () => {
    const ended = vi.fn<() => void>()
    const stop = onSessionEnd(ended)
    storeToken('t-1')
    browser.fetch.mockResolvedValue(answer(null, { status: 401 }))
    await expect(outcome()).resolves.toBe('/login')
    stop()
    expect(ended).toHaveBeenCalledOnce()
    expect(toasts).toEqual([])
  })
})
