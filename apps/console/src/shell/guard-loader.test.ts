import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, stubBrowser } from '../kit/api/browser.fixture.ts'
import { noteAnswer } from '../kit/api/connection.ts'
import { queryClient } from '../kit/api/queries.ts'
import { menuNode, userInfo } from '../kit/api/session.fixture.ts'
import { introduceRouter } from '../kit/api/session.ts'
import { onSessionEnd } from '../kit/api/session-end.ts'
import { onToast, type Toast } from '../kit/display/toasts.ts'
import { keepToken, readToken } from '../kit/api/token.ts'
import { guardLoader } from './guard-loader.ts'

const setAppearance = vi.hoisted(() => vi.fn<(look: unknown) => void>())
vi.mock('../kit/theme/appearance.ts', () => ({ setAppearance }))

let browser: ReturnType<typeof stubBrowser>
const said: Toast[] = []
const wentTo = vi.fn<(path: string) => void>()
onToast((one) => said.push(one))
introduceRouter(wentTo)

beforeEach(() => {
  vi.useFakeTimers()
  browser = stubBrowser()
  queryClient.clear()
  noteAnswer()
  said.length = 0
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

/** Where it leads: 'on', a path, or a status. */
async function outcome(): Promise<string | number> {
  const asked = guardLoader(staff)(arriving).then(
    () => 'on',
    (thrown: Response) => thrown.headers.get('location') ?? thrown.status,
  )
  await vi.runAllTimersAsync()
  return asked
}

describe('a navigation', () => {
  it('[guard.no-token] [error.not-logged-in] without a token: warning, and login', async () => {
    await expect(outcome()).resolves.toBe('/login?redirect=%2Fsystem%2Fstaff%3FpageNum%3D2')
    expect(said).toEqual([{ tone: 'warning', text: '您还未登录，请先登录！' }])
    expect(browser.fetch).not.toHaveBeenCalled()
  })

  it('[guard.no-user] with a token fetches user and menu, then goes on; the next one fetches nothing', async () => {
    keepToken('t-1')
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
  ])('[guard.no-user] is judged again by what was fetched: %s', async (where, user) => {
    keepToken('t-1')
    browser.fetch.mockResolvedValue(answer(user))
    await expect(outcome()).resolves.toBe(where)
  })
})

describe('a failed fetch of the user', () => {
  it('[error.session-fetch] logs out and rejects', async () => {
    keepToken('t-1')
    browser.fetch.mockResolvedValue(answer(null, { status: 500, message: '系统繁忙' }))
    await expect(outcome()).resolves.toBe('/login')
    expect(said).toEqual([{ tone: 'error', text: '系统繁忙' }])
    expect(readToken()).toBeNull()
    expect(wentTo).toHaveBeenCalledWith('/login')
  })

  it('[error.session-fetch] logs out half a second later, as every logout does', async () => {
    keepToken('t-1')
    browser.fetch.mockResolvedValue(answer(null, { status: 500 }))
    const asked = guardLoader(staff)(arriving).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(499)
    expect(wentTo).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(wentTo).toHaveBeenCalledOnce()
    await asked
  })

  it('for want of a network is tried once more before it logs out', async () => {
    keepToken('t-1')
    browser.fetch.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValueOnce(answer(granted))
    await expect(outcome()).resolves.toBe('on')
    expect(said).toEqual([])
    expect(readToken()).toBe('t-1')

    queryClient.clear()
    browser.fetch.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(outcome()).resolves.toBe('/login')
    expect(readToken()).toBeNull()
  })

  it('because the session has ended is left to those who tell of it', async () => {
    const ended = vi.fn<() => void>()
    const stop = onSessionEnd(ended)
    keepToken('t-1')
    browser.fetch.mockResolvedValue(answer(null, { status: 401 }))
    await expect(outcome()).resolves.toBe('/login')
    stop()
    expect(ended).toHaveBeenCalledOnce()
    expect(said).toEqual([])
  })
})
