import { lazy, type ReactNode, Suspense } from 'react'
import { SideSplit } from '../display/SideSplit.tsx'
import { LateSkeleton } from '../display/States.tsx'
import { findInTree } from './tree-search.ts'
import type { TreeBoxProps } from './TreeBox.tsx'
import { useNarrow } from '../display/use-narrow.ts'

// The tree is large; the list beside it need not wait for it.
const TreeBox = lazy(() => import('./TreeBox.tsx'))

/** A tree beside a list. The bar between them is moved by pointer or keyboard; on a phone the tree folds above the list. */
export function TreePanel({ children, ...tree }: TreeBoxProps & { children: ReactNode }) {
  const narrow = useNarrow()
  const box = (
    <Suspense fallback={<LateSkeleton rows={5} />}>
      <TreeBox {...tree} />
    </Suspense>
  )
  if (narrow)
    return (
      <>
        <details className="panel tree-fold">
          <summary>
            {tree.label}：{findInTree(tree.items, tree.selected)?.title ?? '全部'}
          </summary>
          {box}
        </details>
        {children}
      </>
    )
  return (
    <SideSplit label={tree.label} side={box}>
      {children}
    </SideSplit>
  )
}
