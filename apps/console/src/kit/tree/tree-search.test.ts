import { describe, expect, it } from 'vitest'
import { findInTree, searchTree, treeIds } from './tree-search.ts'

const leaf = (id: string, title: string) => ({ id, title, children: [] })
const tree = [
  { id: '1', title: '华东区', children: [leaf('2', '杭州站'), leaf('3', 'Ningbo')] },
  { id: '4', title: '华北区', children: [leaf('5', '杭锦站')] },
  leaf('6', '总部'),
]

describe('searching a tree', () => {
  it('keeps the branches that hold the text', () =>
    expect(treeIds(searchTree(tree, '杭'))).toEqual(['1', '2', '4', '5']))
  it('keeps all below a match', () => expect(treeIds(searchTree(tree, '华东'))).toEqual(['1', '2', '3']))
  it('minds neither case nor spaces around', () => expect(treeIds(searchTree(tree, ' NING '))).toEqual(['1', '3']))
  it('gives everything for nothing', () => expect(searchTree(tree, '  ')).toEqual(tree))
  it('gives nothing when nothing matches', () => expect(searchTree(tree, '广州')).toEqual([]))
  it('leaves the tree as it was', () => expect(treeIds(tree)).toEqual(['1', '2', '3', '4', '5', '6']))
})

it('finding gives the item at any depth', () => {
  expect(findInTree(tree, '5')?.title).toBe('杭锦站')
  expect(findInTree(tree, '9')).toBeUndefined()
  expect(findInTree(tree, undefined)).toBeUndefined()
})

it('what has not been read is not opened by itself', () => {
  const lazy = [{ id: '1', title: '机构', children: [leaf('2', '代理'), { ...leaf('3', '未读'), unread: true }] }]
  expect(treeIds(lazy)).toEqual(['1', '2'])
})
