import { describe, expect, it } from 'vitest'
import { findInTree, searchTree, treeIds } from './tree-search.ts'

const leaf = (id: string, title: string) => ({ id, title, children: [] })
const tree = [
  { id: '1', title: '华东区', children: [leaf('2', '杭州站'), leaf('3', 'Ningbo')] },
  { id: '4', title: '华北区', children: [leaf('5', '杭锦站')] },
  leaf('6', '总部'),
]

describe('searching a tree', () => {
  it('keeps the branches that contain the text', () =>
    expect(treeIds(searchTree(tree, '杭'))).toEqual(['1', '2', '4', '5']))
  it('keeps all items below a match', () => expect(treeIds(searchTree(tree, '华东'))).toEqual(['1', '2', '3']))
  it('ignores case and surrounding spaces', () => expect(treeIds(searchTree(tree, ' NING '))).toEqual(['1', '3']))
  it('returns everything for an empty text', () => expect(searchTree(tree, '  ')).toEqual(tree))
  it('returns nothing when nothing matches', () => expect(searchTree(tree, '广州')).toEqual([]))
  it('does not change the tree', () => expect(treeIds(tree)).toEqual(['1', '2', '3', '4', '5', '6']))
})

it('finds an item at any depth', () => {
  expect(findInTree(tree, '5')?.title).toBe('杭锦站')
  expect(findInTree(tree, '9')).toBeUndefined()
  expect(findInTree(tree, undefined)).toBeUndefined()
})

it('does not open unread items by itself', () => {
  const lazy = [{ id: '1', title: '机构', children: [leaf('2', '代理'), { ...leaf('3', '未读'), unread: true }] }]
  expect(treeIds(lazy)).toEqual(['1', '2'])
})
