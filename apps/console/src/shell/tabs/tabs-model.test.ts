import { describe, expect, it } from 'vitest'
import { tabKey } from '../../kit/routing/screen.ts'
import { maxTabs, parseTabs, type Tab, withoutTab, withTab, withTitle } from './tabs-model.ts'

const tab = (name: string, search = ''): Tab => ({ key: `/${name}`, address: `/${name}${search}`, title: name })
const names = (tabs: readonly Tab[]) => tabs.map((one) => one.title).join(' ')
const abc = ['a', 'b', 'c'].map((name) => tab(name))

describe('opening', () => {
  it('adds a tab at the end', () => expect(names(withTab(abc, tab('d'), '/a'))).toBe('a b c d'))

  it('updates the address of an open tab', () => {
    const tabs = withTab(abc, tab('b', '?pageNum=2'), '/a')
    expect(names(tabs)).toBe('a b c')
    expect(tabs[1]?.address).toBe('/b?pageNum=2')
  })

  it('drops the oldest that is not pinned when there are too many', () => {
    const full = Array.from({ length: maxTabs }, (_, at) => tab(String(at)))
    const tabs = withTab(full, tab('new'), '/0')
    expect(tabs).toHaveLength(maxTabs)
    expect(names(tabs)).toBe('0 2 3 4 5 6 7 8 9 10 11 new')
  })
})

describe('an object', () => {
  const screen = { object: 'id' }
  const at = (search: string) => tabKey(screen, { pathname: '/product/deviceDetail', search })
  const device = (id: string, part = ''): Tab => ({
    key: at(`?id=${id}${part}`),
    address: `/product/deviceDetail?id=${id}${part}`,
    title: '设备详情',
  })

  it('has its own tab, whichever part of it is shown', () => {
    const tabs = withTab(withTab(withTab(abc, device('1'), '/a'), device('2'), '/a'), device('1', '&tab=curve'), '/a')
    expect(tabs.map(({ address }) => address).slice(3)).toEqual([
      '/product/deviceDetail?id=1&tab=curve',
      '/product/deviceDetail?id=2',
    ])
  })

  it('gives its tab its own name', () => {
    const tabs = withTitle(withTab(withTab(abc, device('1'), '/a'), device('2'), '/a'), at('?id=2'), '设备 翠湖东门')
    expect(names(tabs)).toBe('a b c 设备详情 设备 翠湖东门')
  })

  it('is not distinguished by the filters of a list', () => {
    expect(tabKey({}, { pathname: '/product/deviceManage', search: '?id=1' })).toBe('/product/deviceManage')
  })
})

describe('closing', () => {
  it('the current tab leads to its right neighbour, else to the left one', () => {
    expect(withoutTab(abc, '/b', '/b').goTo).toBe('/c')
    expect(withoutTab(abc, '/c', '/c').goTo).toBe('/b')
  })

  it('another tab does not navigate', () => {
    const { tabs, goTo } = withoutTab(abc, '/a', '/c')
    expect([names(tabs), goTo]).toEqual(['b c', undefined])
  })
})

describe('stored tabs', () => {
  it('are parsed, up to the maximum', () => {
    const many = Array.from({ length: 30 }, (_, at) => tab(String(at)))
    expect(parseTabs(JSON.stringify(many))).toEqual(many.slice(0, maxTabs))
  })

  it.each([null, '', '{', '{}', '"x"', '[1, null, {"key": "/a"}]'])('are none for %j', (text) => {
    expect(parseTabs(text)).toEqual([])
  })
})
