import { describe, expect, it } from 'vitest'
import { menuNode } from '../../kit/api/session.fixture.ts'
import { firstPath, holdsPath, leavesOf, type MenuItem, menuOf } from './menu-model.ts'

const staff = menuNode('1.1.3', { route: '/system/staff' })
const role = menuNode('1.1.6', { route: '/system/role' })
const settings = menuNode('1.1', { childMenus: [staff, role] })
const tree = [menuNode('2.1', { route: '/dashboard/workTable' }), menuNode('1', { childMenus: [settings] })]
const paths = new Set(['/dashboard/workTable', '/system/staff', '/system/role'])
const keys = (items: readonly MenuItem[]): string[] => items.flatMap((item) => [item.key, ...keys(item.items)])

describe('the menu', () => {
  it('[role.menu-visibility] [guard.menu-filter] shows only entries of the privilege tree', () => {
    expect(keys(menuOf(tree, [], paths))).toEqual(['2.1', '1', '1.1', '1.1.3', '1.1.6'])
    expect(keys(menuOf(tree.slice(0, 1), [], paths))).toEqual(['2.1'])
    expect(menuOf([], [], paths)).toEqual([])
  })

  it('leaves out disabled entries with all entries below, and buttons', () => {
    const off = menuNode('1', { status: 0, childMenus: [settings] })
    const button = menuNode('9', { kind: 3, route: '/system/role' })
    expect(menuOf([off, button], [], paths)).toEqual([])
  })

  it('leaves out entries without a screen, and directories without entries', () => {
    const unknownScreen = menuNode('7.1', { route: '/order/pay' })
    expect(menuOf([menuNode('7', { childMenus: [unknownScreen] }), menuNode('8')], [], paths)).toEqual([])
  })

  it.each([
    [['YLZH', 'YYSYHJS'], ['2.1']],
    [['ZDYHJS', 'YLZH'], ['2.1']],
    [['YLZH'], ['2.1', '1']],
    [
      ['YLZH', 'GZHGLJS', 'ZDYHJS'],
      ['2.1', '1'],
    ],
    [['YYSYHJS'], ['2.1', '1']],
  ])('[role.union-pay-menu] for the roles %j has %j', (roles, centres) => {
    expect(menuOf(tree, roles, paths).map((item) => item.key)).toEqual(centres)
  })
})

describe('an entry', () => {
  const [, system] = menuOf(tree, [], paths)
  if (!system) throw new Error('the tree has no second centre')
  it('leads to its first screen', () => {
    expect(firstPath(system)).toBe('/system/staff')
    expect(firstPath({ ...system, items: [] })).toBeNull()
  })

  it('holds its screens', () => {
    expect(leavesOf([system]).map((leaf) => leaf.key)).toEqual(['1.1.3', '1.1.6'])
    expect([holdsPath(system, '/system/role'), holdsPath(system, '/dashboard/workTable')]).toEqual([true, false])
  })
})
