import { Button, Input, Tree } from 'antd'
import { type ReactNode, useState } from 'react'
import { EmptyPane } from '../display/States.tsx'
import { searchTree, treeIds, type TreeItem } from './tree-search.ts'

export type TreeBoxProps = {
  /** The noun of the items: 部门. */
  label: string
  items: readonly TreeItem[]
  selected: string | undefined
  /** Undefined: all. */
  onSelect: (id: string | undefined) => void
  /** Loads the children of an item that is marked unread. The search covers loaded items. */
  onOpen?: (id: string) => void
  /** Buttons above the tree. */
  actions?: ReactNode
}

type TreeData = { key: string; title: string; isLeaf: boolean; children?: TreeData[] }
// Without children antd loads them when the item is opened.
const toData = (items: readonly TreeItem[]): TreeData[] =>
  items.map((item) => ({
    key: item.id,
    title: item.title,
    isLeaf: item.children.length === 0 && item.unread !== true,
    ...(item.unread === true ? {} : { children: toData(item.children) }),
  }))

export default function TreeBox({ label, items, selected, onSelect, onOpen, actions }: TreeBoxProps) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<string[]>()
  const found = searchTree(items, text)
  const expanded = text === '' ? (opened ?? treeIds(items)) : treeIds(found)
  return (
    <div className="tree-box">
      <div className="tree-head">
        <Input
          allowClear
          value={text}
          placeholder={`搜索${label}`}
          aria-label={`搜索${label}`}
          onChange={(event) => setText(event.target.value)}
        />
        {actions}
      </div>
      <Button
        block
        type="text"
        className="tree-all"
        aria-pressed={selected === undefined}
        onClick={() => onSelect(undefined)}
      >
        全部
      </Button>
      {found.length === 0 ? (
        <EmptyPane filtered={text !== ''} />
      ) : (
        <Tree
          aria-label={label}
          blockNode
          treeData={toData(found)}
          expandedKeys={expanded}
          onExpand={(keys) => setOpened(keys.map(String))}
          selectedKeys={selected === undefined ? [] : [selected]}
          onSelect={(_, { node }) => onSelect(String(node.key))}
          {...(onOpen ? { loadData: ({ key }) => Promise.resolve(onOpen(String(key))) } : {})}
        />
      )}
    </div>
  )
}
