import { describe, expect, it } from 'vitest'
import { maxTabs, parseTabs, type Tab, withoutTab, withTab } from './tabs-model.ts'

const tab = (name: string, search = ''): Tab => ({ path: `/${name}`, address: `/${name}${search}`, title: name })
const names = (tabs: readonly Tab[]) => tabs.map((one) => one.title).join(' ')
const abc = ['a', 'b', 'c'].map((name) => tab(name))

describe('opening', () => {
  it('adds a tab at the end', () => expect(names(withTab(abc, tab('d'), '/a'))).toBe('a b c d'))

  it('renews the address of a tab that is there', () => {
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

describe('closing', () => {
  it('the one on show leads to its right neighbour, else to the left one', () => {
    expect(withoutTab(abc, '/b', '/b').goTo).toBe('/c')
    expect(withoutTab(abc, '/c', '/c').goTo).toBe('/b')
  })

  it('another one leads nowhere', () => {
    const { tabs, goTo } = withoutTab(abc, '/a', '/c')
    expect([names(tabs), goTo]).toEqual(['b c', undefined])
  })
})

describe('kept tabs', () => {
  it('are read back, as many as there may be', () => {
    const many = Array.from({ length: 30 }, (_, at) => tab(String(at)))
    expect(parseTabs(JSON.stringify(many))).toEqual(many.slice(0, maxTabs))
  })

  it.each([null, '', '{', '{}', '"x"', '[1, null, {"path": "/a"}]'])('are none for %j', (kept) => {
    expect(parseTabs(kept)).toEqual([])
  })
})
