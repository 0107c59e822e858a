import { describe, expect, it, vi } from 'vitest'
import type { Found } from '@wattdeck/contract/auth/search.ts'
import { type MenuName, menus } from '@wattdeck/contract/menu-keys.ts'
import { menuNode } from '../../kit/api/session.fixture.ts'
import type { MenuItem } from '../menu/menu-model.ts'
import {
  commandChoices,
  deviceCommandChoices,
  maxRecent,
  menuChoices,
  recentFirst,
  recordChoices,
  withRecent,
} from './palette-model.ts'
import { nextPlace } from '../row-focus.ts'
import { centreLetters, shortcutOf } from '../shortcut-model.ts'

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

const press = (key: string, modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
})

describe('the palette', () => {
  it('finds menus by title, centre and first letters', () => {
    expect(titles(menuChoices(menu, ''))).toEqual(['工作台', '员工管理', '角色管理', '个人中心'])
    expect(titles(menuChoices(menu, '系统'))).toEqual(['员工管理', '角色管理'])
    expect(titles(menuChoices(menu, 'jsgl'))).toEqual(['角色管理'])
    expect(menuChoices(menu, 'yggl')[0]).toMatchObject({ path: '/system/staff', note: '系统中心' })
  })

  const holder = (...names: MenuName[]) => ({
    menuTree: names.map((name) => menuNode(menus[name].key)),
    grants: [],
    organiseId: '2',
    agentId: null,
  })
  const record = (kind: Found['kind'], title: string, no: string | null = null): Found => ({
    kind,
    id: '9',
    title,
    no,
    note: '运营部',
  })

  it('links a record to its object', () => {
    const user = holder('deviceManage', 'consumeOrder', 'staff')
    const found = [record('device', '翠湖东门', '13544000'), record('order', '9', '9'), record('staff', '张伟', '007')]
    expect(recordChoices(found, user).map(({ group, title, note, path }) => [group, title, note, path])).toEqual([
      ['设备', '翠湖东门', '13544000 · 运营部', '/product/deviceDetail?id=9'],
      ['订单', '9', '运营部', '/order/chargingOrder?id=9'],
      ['员工', '张伟', '007 · 运营部', '/system/staff?staffId=9'],
    ])
  })

  it('links a record without a page to its filtered list', () => {
    const paths = (['department', 'role', 'agent'] as const).map((kind) => record(kind, '张 伟&'))
    expect(recordChoices(paths, holder()).map(({ path, group }) => `${group} ${path}`)).toEqual([
      '部门 /system/department?name=%E5%BC%A0+%E4%BC%9F%26',
      '角色 /system/role?name=%E5%BC%A0+%E4%BC%9F%26',
      '代理商 /system/operatorInfo?keyword=%E5%BC%A0+%E4%BC%9F%26',
    ])
  })

  it('puts a record first if its whole number was typed', () => {
    const found = [record('device', '一号', '1354'), record('device', '二号', '13544000')]
    const [first] = recordChoices(found, holder('deviceManage'), '13544000')
    expect(first).toMatchObject({ title: '二号', exact: true })
  })

  it('leaves out records that the user may not open', () => {
    expect(recordChoices([record('device', '翠湖东门')], holder('staff'))).toEqual([])
  })

  it('offers commands on a device, which its page confirms', () => {
    const found = [record('device', '翠湖东门', '13544000'), record('order', '9')]
    const choices = deviceCommandChoices(found, holder('deviceManage'), [{ value: 'restart', label: '重启' }])
    expect(choices.map(({ title, path }) => [title, path])).toEqual([
      ['重启 13544000', '/product/deviceDetail?id=9&operation=restart'],
    ])
  })

  it('finds commands', () => {
    const run = vi.fn<() => void>()
    const [found] = commandChoices([{ title: '退出登录', run }], '退出')
    found?.run?.()
    expect(run).toHaveBeenCalledOnce()
  })

  it('shows recently opened menus first, and only once', () => {
    const shown = recentFirst(menuChoices(menu, ''), ['menu:1.1.6', 'menu:gone'])
    expect(titles(shown)).toEqual(['角色管理', '工作台', '员工管理', '个人中心'])
    expect(shown.map((choice) => choice.group)).toEqual(['最近', '菜单', '菜单', '菜单'])
  })

  it('remembers five menus, the latest first', () => {
    const recent = ['a', 'b', 'c', 'd', 'e', 'f', 'a'].reduce<string[]>((ids, id) => withRecent(ids, id), [])
    expect(recent).toEqual(['a', 'f', 'e', 'd', 'c'])
    expect(recent).toHaveLength(maxRecent)
  })
})

describe('shortcuts', () => {
  const free = { typing: false, onRow: false, singleKeys: true }

  it('open the palette even while typing', () => {
    const typing = { ...free, typing: true, singleKeys: false }
    expect(shortcutOf(press('k', { ctrlKey: true }), typing)).toBe('palette')
    expect(shortcutOf(press('K', { metaKey: true }), typing)).toBe('palette')
  })

  it('of one key are ignored while typing and when switched off', () => {
    const keys = ['?', '/', 'r', 'n', 'g', 'j', 'K', 'x', 'q']
    const shortcuts = ['help', 'filter', 'refresh', 'new', 'go', 'down', 'up', 'select', undefined]
    expect(keys.map((key) => shortcutOf(press(key), free))).toEqual(shortcuts)
    for (const where of [
      { ...free, typing: true },
      { ...free, singleKeys: false },
    ])
      expect(keys.map((key) => shortcutOf(press(key), where))).toEqual(keys.map(() => undefined))
  })

  it('handle Enter on a row only: elsewhere it belongs to the button', () => {
    expect(shortcutOf(press('Enter'), free)).toBeUndefined()
    expect(shortcutOf(press('Enter'), { ...free, onRow: true })).toBe('open')
    expect(shortcutOf(press('Enter'), { ...free, onRow: true, typing: true })).toBeUndefined()
  })

  it('move to the next row and stop at both ends', () => {
    expect([nextPlace(-1, 1, 3), nextPlace(0, 1, 3), nextPlace(2, 1, 3)]).toEqual([0, 1, 2])
    expect([nextPlace(-1, -1, 3), nextPlace(2, -1, 3), nextPlace(0, -1, 3)]).toEqual([2, 1, 0])
  })

  it('of the browser are not handled', () => {
    expect(shortcutOf(press('r', { ctrlKey: true }), free)).toBeUndefined()
    expect(shortcutOf(press('n', { altKey: true }), free)).toBeUndefined()
  })

  it('assign each centre its own letter', () => {
    const letters = [...centreLetters(menu)].map(([letter, centre]) => `${letter} ${centre.title}`)
    expect(letters).toEqual(['g 工作台', 'x 系统中心', 'r 个人中心'])
  })
})
