import { login } from '@wattdeck/contract/auth/login.ts'
import { session } from '@wattdeck/contract/auth/session.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, stubBrowser } from '../../../kit/api/browser.fixture.ts'
import { userInfo } from '../../../kit/api/session.fixture.ts'
import { bearerToken, dropToken, storeToken, readToken } from '../../../kit/api/token.ts'
import { cacheUser, cachedUser } from '../../../kit/api/user.ts'
import { renewSession } from './renew-session.ts'

let browser: ReturnType<typeof stubBrowser>
beforeEach(() => {
  browser = stubBrowser()
  dropToken()
  storeToken('old')
  cacheUser(userInfo({ grants: ['1.1.3:edit'] }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})
const serve = (person: ReturnType<typeof userInfo>) =>
  browser.fetch.mockImplementation((url) => Promise.resolve(answer(url === session.userInfo.path ? person : null)))
const requestUrls = () => browser.fetch.mock.calls.map(([url]) => url)

describe('logging in over the page', () => {
  it('continues with the new token and the current rights of the user', async () => {
    serve(userInfo({ grants: [] }))
    expect(await renewSession('new', '7')).toBe(true)
    expect(browser.headersOf(0).get('authorization')).toBe('Bearer new')
    expect([readToken(), bearerToken(), cachedUser()?.grants]).toEqual(['new', 'new', []])
  })

  it('as another person is refused: their token is never stored and their session ends', async () => {
    serve(userInfo({ id: '8', userName: '李四' }))
    expect(await renewSession('foreign', '7')).toBe(false)
    expect(requestUrls()).toEqual([session.userInfo.path, login.logout.path])
    expect(browser.headersOf(1).get('authorization')).toBe('Bearer foreign')
    expect([...browser.kept.values()]).toEqual(['old'])
    expect(cachedUser()?.id).toBe('7')
  })

  it('that cannot be verified changes nothing', async () => {
    browser.fetch.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(renewSession('new', '7')).rejects.toThrow('网络异常')
    expect([readToken(), cachedUser()?.grants]).toEqual(['old', ['1.1.3:edit']])
  })
})
