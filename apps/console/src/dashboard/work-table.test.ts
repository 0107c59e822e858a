import { describe, expect, it } from 'vitest'
import { menuNode } from '../kit/session.fixture.ts'
import { dayText, greetingAt } from './greeting-at.ts'
import { shortcutsOf } from './shortcuts.ts'

const home = '/dashboard/workTable'
const screen = (key: string, rest = {}) => menuNode(key, { route: `/s/${key}`, ...rest })
const keys = (tree: Parameters<typeof shortcutsOf>[0], roles: readonly string[] = []) =>
  shortcutsOf(tree, roles, home).map((shortcut) => shortcut.key)

describe('shortcuts', () => {
  it('[role.menu-visibility] are the granted menus that lead somewhere, but not to here', () => {
    const tree = [screen('2.1', { route: home }), menuNode('1', { childMenus: [screen('1.1.3'), menuNode('1.9')] })]
    expect(shortcutsOf(tree, [], home)).toEqual([{ key: '1.1.3', title: '菜单1.1.3', icon: null, path: '/s/1.1.3' }])
  })

  it('put what everybody has last', () => {
    expect(keys([screen('3.1', { alwaysVisible: true }), screen('1.1'), screen('1.2')])).toEqual(['1.1', '1.2', '3.1'])
  })

  it('are eight at most', () => {
    expect(keys(Array.from({ length: 20 }, (_, at) => screen(`1.${at}`)))).toHaveLength(8)
  })

  it('leave out what is disabled with all below it, buttons, and addresses elsewhere', () => {
    const off = menuNode('1', { status: 0, childMenus: [screen('1.1')] })
    expect(keys([off, screen('2', { kind: 3 }), screen('5', { route: 'https://elsewhere.example' })])).toEqual([])
  })

  it('follow the union-pay rule like the menu', () => {
    expect(keys([screen('1'), screen('2')], ['YLZH', 'ZDYHJS'])).toEqual(['1'])
  })
})

const atHour = (hour: number) => greetingAt(Date.UTC(2026, 10, 15, hour - 8, 30))

it('the greeting goes by the clock of Shanghai', () => {
  expect([0, 8, 9, 11, 12, 13, 14, 18, 19, 23].map((hour) => atHour(hour))).toEqual([
    '早上好',
    '早上好',
    '上午好',
    '上午好',
    '中午好',
    '中午好',
    '下午好',
    '下午好',
    '晚上好',
    '晚上好',
  ])
})

it('so does the day', () => {
  expect(dayText(Date.UTC(2026, 10, 14, 16, 0))).toBe('11月15日星期日')
})
