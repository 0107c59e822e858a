import { Button, Input, Splitter, Tree } from 'antd'
import { type ReactNode, useState } from 'react'
import { EmptyPane } from './States.tsx'
import { findInTree, searchTree, treeIds, type TreeItem } from './tree-search.ts'
import { useNarrow } from './use-narrow.ts'

type Props = {
  /** What the tree holds: 部门. */
  label: string
  items: readonly TreeItem[]
  selected: string | undefined
  /** Undefined: all. */
  onSelect: (id: string | undefined) => void
  /** Buttons above the tree. */
  actions?: ReactNode
  children: ReactNode
}

/** A tree beside a list. The bar between them moves by pointer and keyboard; on a phone the tree folds away above. */
export function TreePanel({ children, ...tree }: Props) {
  const narrow = useNarrow()
  if (narrow) {
    const chosen = findInTree(tree.items, tree.selected)?.title ?? '全部'
    return (
      <>
        <details className="panel tree-fold">
          <summary>
            {tree.label}：{chosen}
          </summary>
          <TreeBox {...tree} />
        </details>
        {children}
      </>
    )
  }
  return (
    <Splitter className="tree-splitter">
      <Splitter.Panel defaultSize={240} min={180} max={420} collapsible>
        <div className="panel tree-side">
          <TreeBox {...tree} />
        </div>
      </Splitter.Panel>
      <Splitter.Panel className="tree-main">{children}</Splitter.Panel>
    </Splitter>
  )
}

type TreeData = { key: string; title: string; children: TreeData[] }
const toData = (items: readonly TreeItem[]): TreeData[] =>
  items.map((item) => ({ key: item.id, title: item.title, children: toData(item.children) }))

function TreeBox({ label, items, selected, onSelect, actions }: Omit<Props, 'children'>) {
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
        type={selected === undefined ? 'primary' : 'text'}
        ghost={selected === undefined}
        size="small"
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
          onSelect={(_, { node }) => onSelect(node.key)}
        />
      )}
    </div>
  )
}
