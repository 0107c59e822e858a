import { menuKind, type MenuNode } from '@wattdeck/contract/auth/menu-node.ts'
import { describe, expect, it } from 'vitest'
import { checkOf, difference, givable, withMenu, withoutMenu, withPath } from './menu-choice.ts'
import { changesOf, type Choice, chooseAll, chooseMenu, chooseNone, chooseResource, type Offer } from './privilege.ts'

function menu(id: string, childMenus: MenuNode[] = [], alwaysVisible = false): MenuNode {
  const kind = childMenus.length > 0 ? menuKind.code.directory : menuKind.code.menu
  const own = { id, parentId: null, menuKey: id, title: `菜单${id}`, route: null, icon: null, sort: 0 }
  return { ...own, kind, alwaysVisible, status: 1, childMenus }
}

const tree = [menu('1', [menu('11', [menu('111'), menu('112')]), menu('12')]), menu('3', [menu('31', [], true)], true)]
const sorted = (ids: ReadonlySet<string>) => [...ids].toSorted()

describe('choosing menus in their tree', () => {
  it('includes the ancestors and the children', () => {
    expect(sorted(withMenu(tree, new Set(), '11'))).toEqual(['1', '11', '111', '112'])
    expect(sorted(withPath(tree, new Set(), '111'))).toEqual(['1', '11', '111'])
  })

  it('removes directories that become empty', () => {
    expect(sorted(withoutMenu(tree, new Set(['1', '11', '111']), '111'))).toEqual([])
    expect(sorted(withoutMenu(tree, new Set(['1', '11', '111', '12']), '11'))).toEqual(['1', '12'])
  })

  it('marks a partly selected branch', () => {
    const top = tree[0]
    if (!top) throw new Error('the tree has no top')
    expect(checkOf(top, new Set())).toBe('off')
    expect(checkOf(top, new Set(['1', '12']))).toBe('part')
    expect(checkOf(top, new Set(['1', '11', '111', '112', '12']))).toBe('on')
  })

  it('does not offer menus that every user has', () => {
    expect(givable(tree).map((node) => node.id)).toEqual(['1'])
    expect(givable(tree, (node) => node.id === '31').map((node) => node.id)).toEqual(['1', '3'])
  })

  it('lists added and removed menus', () => {
    expect(difference(new Set(['1', '2']), new Set(['2', '3']))).toEqual({ added: ['3'], removed: ['1'] })
  })
})

describe('choosing what a role grants', () => {
  const add = { id: 'r1', menuId: '111', name: '员工管理-新增', action: 'add' } as const
  const edit = { id: 'r2', menuId: '12', name: '日志管理-编辑', action: 'edit' } as const
  const offer: Offer = {
    menus: tree,
    resources: [add, edit],
    grantedMenuIds: [],
    grantedResourceIds: [],
    canUnmask: false,
    mayGrantUnmask: true,
  }
  const none: Choice = { menus: new Set(), resources: new Set(), unmask: false }

  it('selects an action only together with its menu', () => {
    const chosen = chooseResource(offer, none, add, true)
    expect(sorted(chosen.menus)).toEqual(['1', '11', '111'])
    expect(sorted(chosen.resources)).toEqual(['r1'])
  })

  it('removes the actions together with their menu', () => {
    const all = chooseAll(offer, none)
    const remaining = chooseMenu(offer, all, '11', false)
    expect(sorted(remaining.menus)).toEqual(['1', '12'])
    expect(sorted(remaining.resources)).toEqual(['r2'])
  })

  it('describes the changes, and is empty without changes', () => {
    const before = chooseResource(offer, none, edit, true)
    const after = { ...chooseNone(offer, before), unmask: true }
    expect(changesOf(offer, before, after)).toEqual({
      added: ['查看明文'],
      removed: ['菜单：菜单1（1）', '菜单：菜单12（12）', '操作：日志管理-编辑'],
    })
    expect(changesOf(offer, before, before)).toEqual({ added: [], removed: [] })
  })
})
