import { operatorInfo } from '@wattdeck/contract/system/operator-info.ts'
import { ownership } from '@wattdeck/contract/system/ownership.ts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../kit/api/api.ts'
import { maySelect } from '../../../kit/owner-region/owner.ts'
import { routeKey, useDetail } from '../../../kit/api/queries.ts'
import type { TreeItem } from '../../../kit/tree/tree-search.ts'
import { useOwner } from '../../../kit/owner-region/use-owner.ts'
import { useUser } from '../../../kit/api/user.ts'

type Chosen = { organiseId?: string | undefined; agentId?: string | undefined }
type Agent = { id: string; name: string; status: number; leaf: boolean }
type Branch = { rows: readonly Agent[] | undefined; more: boolean }

// An organisation is the parent of its agents; its key must not collide with an agent id.
const organiseKey = (id: string) => `organise-${id}`
const organiseOf = (key: string) => (key.startsWith('organise-') ? key.slice('organise-'.length) : undefined)
/** The root for a user of an agent. */
const ownKey = 'own'

function queryOf(key: string) {
  if (key === ownKey) return {}
  const organiseId = organiseOf(key)
  return organiseId === undefined ? { parentAgentId: key } : { organiseId }
}

/** Fetches each branch when it is expanded. */
function useBranches(keys: readonly string[]) {
  const queries = useQueries({
    queries: keys.map((key) => ({
      queryKey: routeKey(operatorInfo.children, {}, queryOf(key)),
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call(operatorInfo.children, { query: queryOf(key), signal })).data,
    })),
  })
  const branches = new Map<string, Branch>(
    keys.map((key, place) => [key, { rows: queries[place]?.data?.rows, more: queries[place]?.data?.more ?? false }]),
  )
  const failed = queries.find((query) => query.isError)
  return {
    branches,
    query: {
      error: failed?.error ?? null,
      isFetching: queries.some((query) => query.isFetching),
      refetch: () => Promise.all(queries.filter((query) => query.isError).map((query) => query.refetch())),
    },
  }
}

/** The agent tree below the visible organisations, fetched lazily. */
export function useOperatorTree(chosen: Chosen) {
  const user = useUser()
  const all = maySelect(user, 'organise')
  const atAgent = user?.agentId !== null && user?.agentId !== undefined
  const organises = useDetail(ownership.organises, { query: {}, enabled: all })
  const named = useOwner('organise', all ? chosen.organiseId : undefined)
  const [opened, setOpened] = useState<readonly string[]>([])

  const first = organises.data?.rows ?? []
  const tops = all
    ? [...(named && !first.some(({ id }) => id === named.id) ? [named] : []), ...first]
    : [{ id: user?.organiseId ?? '', name: user?.organiseName ?? '本机构' }]
  const start = all ? [] : atAgent ? [ownKey, user.agentId ?? ''] : [organiseKey(user?.organiseId ?? '')]
  const { branches, query } = useBranches([...new Set([...start, ...opened])])

  const below = (key: string): TreeItem[] =>
    (branches.get(key)?.rows ?? []).map(({ id, name, status, leaf }) => ({
      id,
      title: status === 1 ? name : `${name}（已停用）`,
      children: below(id),
      unread: !leaf && branches.get(id)?.rows === undefined,
    }))
  const organiseItem = ({ id, name }: { id: string; name: string }): TreeItem => ({
    id: organiseKey(id),
    title: name,
    children: below(organiseKey(id)),
    unread: branches.get(organiseKey(id))?.rows === undefined,
  })
  return {
    query,
    items: atAgent ? below(ownKey) : tops.map(organiseItem),
    more: organises.data?.more === true || [...branches.values()].some((branch) => branch.more),
    open: (key: string) => setOpened((now) => [...new Set([...now, key])]),
    selected: chosen.agentId ?? (chosen.organiseId === undefined ? undefined : organiseKey(chosen.organiseId)),
    /** The list filter of a tree node. */
    pick: (key: string | undefined): Chosen => {
      const organiseId = key === undefined ? undefined : organiseOf(key)
      return { organiseId: all ? organiseId : undefined, agentId: organiseId === undefined ? key : undefined }
    },
  }
}
