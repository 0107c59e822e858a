import { describe, expect, it, vi } from 'vitest'
import type { MenuItem } from './menu-model.ts'
import { commandChoices, maxRecent, menuChoices, recentFirst, recordChoices, withRecent } from './palette-model.ts'
import { centreLetters, shortcutOf } from './shortcut-model.ts'

const item = (key: string, title: string, path: string | null, items: MenuItem[] = []): MenuItem => ({
  key,
  title,
  icon: null,
  path,
  items,
})
const menu = [
  item('2', '工作台', '/dashboard/workTable'),
  item('1', '系统中心', null, [item('1.1.3', '员工管理', '/system/staff'), item('1.1.6', '角色管理', '/system/role')]),
  item('4', '个人中心', '/personal/basicInfo'),
]
const titles = (choices: readonly { title: string }[]) => choices.map((choice) => choice.title)

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

describe('the palette', () => {
  it('finds menus by title, centre and first letters', () => {
    expect(titles(menuChoices(menu, ''))).toEqual(['工作台', '员工管理', '角色管理', '个人中心'])
    expect(titles(menuChoices(menu, '系统'))).toEqual(['员工管理', '角色管理'])
    expect(titles(menuChoices(menu, 'jsgl'))).toEqual(['角色管理'])
    expect(menuChoices(menu, 'yggl')[0]).toMatchObject({ path: '/system/staff', note: '系统中心' })
  })

  it('leads from a record to its list, filtered to it', () => {
    expect(recordChoices([{ kind: 'staff', id: '9', title: '张 伟&', note: '运营部' }])).toEqual([
      {
        id: 'staff:9',
        group: '员工',
        title: '张 伟&',
        note: '运营部',
        path: '/system/staff?keyword=%E5%BC%A0+%E4%BC%9F%26',
      },
    ])
  })

  it('finds commands', () => {
    const run = vi.fn<() => void>()
    const [found] = commandChoices([{ title: '退出登录', run }], '退出')
    found?.run?.()
    expect(run).toHaveBeenCalledOnce()
  })

  it('shows first what was opened lately, once', () => {
    const shown = recentFirst(menuChoices(menu, ''), ['menu:1.1.6', 'menu:gone'])
    expect(titles(shown)).toEqual(['角色管理', '工作台', '员工管理', '个人中心'])
    expect(shown.map((choice) => choice.group)).toEqual(['最近', '菜单', '菜单', '菜单'])
  })

  it('remembers a few, the latest first', () => {
    const recent = ['a', 'b', 'c', 'd', 'e', 'f', 'a'].reduce<string[]>((kept, id) => withRecent(kept, id), [])
    expect(recent).toEqual(['a', 'f', 'e', 'd', 'c'])
    expect(recent).toHaveLength(maxRecent)
  })
})

describe('shortcuts', () => {
  const free = { typing: false, singleKeys: true }

  it('open the palette even while typing', () => {
    const typing = { typing: true, singleKeys: false }
    expect(shortcutOf(press('k', { ctrlKey: true }), typing)).toBe('palette')
    expect(shortcutOf(press('K', { metaKey: true }), typing)).toBe('palette')
  })

  it('of one key work neither while typing nor when switched off', () => {
    expect(['?', '/', 'r', 'n', 'g', 'x'].map((key) => shortcutOf(press(key), free))).toEqual([
      'help',
      'filter',
      'refresh',
      'new',
      'go',
      undefined,
    ])
    expect(shortcutOf(press('r'), { typing: true, singleKeys: true })).toBeUndefined()
    expect(shortcutOf(press('r'), { typing: false, singleKeys: false })).toBeUndefined()
  })

  it('of the browser stay its own', () => {
    expect(shortcutOf(press('r', { ctrlKey: true }), free)).toBeUndefined()
    expect(shortcutOf(press('n', { altKey: true }), free)).toBeUndefined()
  })

  it('give each centre a letter of its own', () => {
    const letters = [...centreLetters(menu)].map(([letter, centre]) => `${letter} ${centre.title}`)
    expect(letters).toEqual(['g 工作台', 'x 系统中心', 'r 个人中心'])
  })
})
