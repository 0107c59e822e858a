import { describe, expect, it } from 'vitest'
import { menuNode } from '../kit/api/session.fixture.ts'
import { decide, type Decision, documentTitle, loginFor, type Situation } from './guard.ts'

const menuTree = [menuNode('1', { childMenus: [menuNode('1.1.3')] })]
const normal = { basicServiceStatus: 1, menuTree } as const
const staff = { name: 'staff', menuKey: '1.1.3' }
const judge = (situation: Partial<Situation>) =>
  decide({ screen: staff, wanted: '/system/staff?pageNum=2', hasToken: true, user: normal, ...situation })
const on: Decision = { go: 'on' }

it('[guard.title] the document has the title of the route with the name of the platform', () => {
  expect(documentTitle('员工管理')).toBe('员工管理 - 物联网控制平台')
})

describe('login', () => {
  const screen = { name: 'login' }
  it('[guard.login-with-token] leads to the work table for a user with a token', () => {
    expect(judge({ screen, user: undefined })).toEqual({ go: 'redirect', to: '/dashboard/workTable' })
    expect(judge({ screen })).toEqual({ go: 'redirect', to: '/dashboard/workTable' })
  })

  it('is open without one', () => expect(judge({ screen, hasToken: false, user: undefined })).toEqual(on))
})

describe('without a token', () => {
  it.each(['resetPassword', 'error-401', 'alipayAuth', 'alipaySuccess', 'fastLogin', 'dataScreen'])(
    '[guard.login-free-names] %s is open',
    (name) => expect(judge({ screen: { name }, hasToken: false, user: undefined })).toEqual(on),
  )

  it('[guard.no-token] [error.not-logged-in] everything else warns and leads to login', () => {
    expect(judge({ hasToken: false, user: undefined })).toEqual({
      go: 'redirect',
      to: '/login?redirect=%2Fsystem%2Fstaff%3FpageNum%3D2',
      warning: '您还未登录，请先登录！',
    })
  })

  it('[guard.no-token] an always visible screen leads to login, too', () => {
    const screen = { name: 'overdue', alwaysVisible: true }
    expect(judge({ screen, wanted: '/overdue', hasToken: false, user: undefined })).toMatchObject({
      to: '/login?redirect=%2Foverdue',
    })
  })

  it('login has no redirect to its default target', () => {
    expect([loginFor('/'), loginFor('/dashboard/workTable')]).toEqual(['/login', '/login'])
  })
})

it('[guard.no-user] with a token but no user, the user is fetched first', () => {
  expect(judge({ user: undefined })).toEqual({ go: 'load' })
  expect(judge({ screen: { name: 'overdue', alwaysVisible: true }, user: undefined })).toEqual({ go: 'load' })
})

describe('arrears', () => {
  const user = { basicServiceStatus: 2, menuTree } as const
  it('[guard.arrears] a route leads to the overdue page', () => {
    expect(judge({ user })).toEqual({ go: 'redirect', to: '/overdue' })
  })

  it('[guard.arrears] one that is not granted does too', () => {
    expect(judge({ user, screen: { name: 'role', menuKey: '1.1.6' } })).toEqual({ go: 'redirect', to: '/overdue' })
  })

  it('[guard.arrears] one that is always visible stays open, such as the overdue page itself', () => {
    expect(judge({ user, screen: { name: 'overdue', alwaysVisible: true } })).toEqual(on)
  })

  it('[guard.arrears] a warning closes no screen', () => {
    expect(judge({ user: { basicServiceStatus: 3, menuTree } })).toEqual(on)
  })
})

describe('menu keys', () => {
  it('[guard.menu-filter] a screen opens by the key in the menu tree, at any depth', () => {
    expect(judge({})).toEqual(on)
    expect(judge({ screen: { name: 'role', menuKey: '1.1.6' } })).toEqual({ go: 'refuse', menuKey: '1.1.6' })
    expect(judge({ user: { ...normal, menuTree: [] } })).toEqual({ go: 'refuse', menuKey: '1.1.3' })
  })

  it('[guard.menu-filter] one that is always visible opens without its key', () => {
    expect(judge({ screen: { name: 'basicInfo', menuKey: '3.1', alwaysVisible: true } })).toEqual(on)
  })
})
