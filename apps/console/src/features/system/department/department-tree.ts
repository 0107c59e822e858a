import { type DepartmentNode, departmentTree } from '@wattdeck/contract/system/department-tree.ts'
import { useDetail } from '../../../kit/api/queries.ts'
import type { TreeItem } from '../../../kit/tree/tree-search.ts'
import { useOwner } from '../../../kit/owner-region/use-owner.ts'
import { useUser } from '../../../kit/api/user.ts'

const toItem = (node: DepartmentNode): TreeItem => ({
  id: node.id,
  title: node.name,
  children: node.children.map((child) => toItem(child)),
})

type Chosen = { organiseId?: string | undefined; departmentId?: string | undefined }

/** The departments of the selected organisation, or of the own one, below its name. */
export function useDepartmentTree(chosen: Chosen) {
  const user = useUser()
  const organiseId = chosen.organiseId ?? user?.organiseId ?? ''
  // Destructured here, because a query tracks the accessed properties to trigger renders.
  const { data, error, isFetching, refetch } = useDetail(departmentTree, {
    params: { organiseId },
    enabled: organiseId !== '',
  })
  const title = useOwner('organise', chosen.organiseId)?.name ?? user?.organiseName ?? '本机构'
  // The root represents the whole organisation; its key must not collide with a department id.
  const root = `organise-${organiseId}`
  return {
    query: { error, isFetching, refetch },
    items: [{ id: root, title, children: (data ?? []).map((node) => toItem(node)) }],
    selected: chosen.departmentId ?? (chosen.organiseId === undefined ? undefined : root),
    /** The list filter of a tree node. */
    pick: (id: string | undefined): Chosen => {
      if (id === undefined) return { organiseId: undefined, departmentId: undefined }
      return { organiseId, departmentId: id === root ? undefined : id }
    },
  }
}

export type TreeOption = { value: string; title: string; children: TreeOption[] }

/** For a TreeSelect. `without`: excludes a department and its children as its own parent. */
export const departmentOptions = (nodes: readonly DepartmentNode[], without?: string): TreeOption[] =>
  nodes
    .filter((node) => node.id !== without)
    .map((node) => ({ value: node.id, title: node.name, children: departmentOptions(node.children, without) }))
