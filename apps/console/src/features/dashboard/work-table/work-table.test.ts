import { describe, expect, it } from 'vitest'
import { chosenColumns, type ColumnChoice } from '../../../kit/list/columns.ts'
import { menuNode } from '../../../kit/api/session.fixture.ts'
import { cards, figuresOf, seenBy } from './cards.ts'
import { dayText, greetingAt } from './greeting-at.ts'
import { shortcutsOf } from './shortcuts.ts'

const home = '/dashboard/workTable'
const screen = (key: string, rest = {}) => menuNode(key, { route: `/s/${key}`, ...rest })
const keys = (tree: Parameters<typeof shortcutsOf>[0], roles: readonly string[] = [], choice?: ColumnChoice) =>
  chosenColumns(shortcutsOf(tree, roles, home), choice).map((shortcut) => shortcut.key)

describe('shortcuts', () => {
  it('[role.menu-visibility] are the granted menus with a route, except the current page', () => {
    const tree = [screen('2.1', { route: home }), menuNode('1', { childMenus: [screen('1.1.3'), menuNode('1.9')] })]
    expect(shortcutsOf(tree, [], home)).toEqual([
      { key: '1.1.3', title: '菜单1.1.3', icon: null, path: '/s/1.1.3', hidden: false },
    ])
  })

  it('put the menus of every user last', () => {
    expect(keys([screen('3.1', { alwaysVisible: true }), screen('1.1'), screen('1.2')])).toEqual(['1.1', '1.2', '3.1'])
  })

  it('are the first eight by default, and then the selected ones in their order', () => {
    const tree = Array.from({ length: 20 }, (_, at) => screen(`1.${at}`))
    expect(keys(tree)).toHaveLength(8)
    const order = tree.map(({ menuKey }) => menuKey).toReversed()
    const hidden = order.filter((key) => key !== '1.12' && key !== '1.3')
    expect(keys(tree, [], { order, hidden })).toEqual(['1.12', '1.3'])
  })

  it('omit disabled menus with their children, buttons, and external addresses', () => {
    const off = menuNode('1', { status: 0, childMenus: [screen('1.1')] })
    expect(keys([off, screen('2', { kind: 3 }), screen('5', { route: 'https://elsewhere.example' })])).toEqual([])
  })

  it('follow the union-pay rule like the menu', () => {
    expect(keys([screen('1'), screen('2')], ['YLZH', 'ZDYHJS'])).toEqual(['1'])
  })
})

const atHour = (hour: number) => greetingAt(Date.UTC(2026, 10, 15, hour - 8, 30))

it('the greeting uses the time of Shanghai', () => {
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

it('the date uses the time of Shanghai', () => {
  expect(dayText(Date.UTC(2026, 10, 14, 16, 0))).toBe('11月15日星期日')
})

describe('cards', () => {
  const seen = (...menus: string[]) => ({
    figures: figuresOf(new Set(['2.1', ...menus])).map(({ key }) => key),
    cards: seenBy(cards, new Set(['2.1', ...menus])).map(({ key }) => key),
  })

  it('[role.menu-visibility] are those whose page the user may read', () => {
    expect(seen()).toEqual({
      figures: ['service'],
      cards: ['toDo', 'notices', 'shortcuts', 'logins'],
    })
    expect(seen('7.5').figures).toEqual(['revenue', 'orders', 'energy', 'service'])
    expect(seen('4.1.1').cards).toEqual(['plugs', 'toDo', 'types', 'notices', 'shortcuts', 'logins'])
  })

  it('of figures beyond eight omit field work unless it is selected', () => {
    const installer = figuresOf(new Set(['2.1', '4.1.3', '4.1.8']))
    expect(chosenColumns(installer, undefined).map(({ key }) => key)).toEqual(['installs', 'tickets', 'service'])
    const manager = figuresOf(new Set(['2.1', '2.6', '4.1.1', '4.1.3', '4.1.8', '6.7', '7.5', '7.9']))
    const shown = ['revenue', 'orders', 'energy', 'members', 'online', 'faults', 'income', 'service']
    expect(chosenColumns(manager, undefined).map(({ key }) => key)).toEqual(shown)
    const arrangement = { order: manager.map(({ key }) => key), hidden: shown.slice(0, 7) }
    expect(chosenColumns(manager, arrangement).map(({ key }) => key)).toEqual([
      'recharges',
      'installs',
      'tickets',
      'service',
    ])
  })

  it('keep their arrangement, and insert a new card at its default place', () => {
    const order = ['logins', 'toDo', 'trend', 'plugs', 'notices', 'shortcuts']
    const arranged = chosenColumns(cards, { order, hidden: ['trend'] }).map(({ key }) => key)
    expect(arranged).toEqual(['logins', 'toDo', 'types', 'plugs', 'notices', 'shortcuts'])
  })
})
