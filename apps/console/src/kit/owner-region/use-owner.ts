import { ownership } from '@wattdeck/contract/system/ownership.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/api.ts'
import { type OwnerField, type OwnerIds, type OwnerLevel } from './owner.ts'
import { queryClient, useDetail } from '../api/queries.ts'

export type Owner = { id: string; name: string; organiseId: string; fullName?: string }

const routes = { organise: ownership.organises, agent: ownership.agents, site: ownership.sites }
const nameKey = (level: OwnerLevel, id: string | undefined) => [routes[level].path, 'name', id]
const keepMs = 5 * 60_000

/** Caches an owner selected from a list, so that its name need not be fetched. */
export const cacheOwner = (level: OwnerLevel, owner: Owner) => queryClient.setQueryData(nameKey(level, owner.id), owner)

/** The owner with this id; undefined while it loads, null if none is visible to the user. */
export function useOwner(level: OwnerLevel, id: string | undefined): Owner | null | undefined {
  const { data, isError } = useQuery<Owner | null>({
    queryKey: nameKey(level, id),
    queryFn: async ({ signal }) =>
      (await call(routes[level], { query: { ids: [id ?? ''] }, signal })).data.rows[0] ?? null,
    enabled: id !== undefined,
    staleTime: keepMs,
  })
  return isError ? null : data
}

/** The names of the selected ids; the id itself if there is no name. */
export function useOwnerNames({ organiseId, agentId, siteId }: OwnerIds): Record<OwnerField, string> {
  const called = (owner: Owner | null | undefined, id = '') =>
    owner === undefined ? '…' : (owner?.fullName ?? owner?.name ?? id)
  return {
    organiseId: called(useOwner('organise', organiseId), organiseId),
    agentId: called(useOwner('agent', agentId), agentId),
    siteId: called(useOwner('site', siteId), siteId),
  }
}

type Search = { within: OwnerIds | undefined; keyword: string; enabled: boolean }

/** The first matching owners that can be selected there. */
export function useOwnerSearch(level: OwnerLevel, { within, keyword, enabled }: Search) {
  const { organiseId, agentId } = within ?? {}
  const query = {
    ...(keyword === '' ? {} : { keyword }),
    ...(organiseId !== undefined && level !== 'organise' ? { organiseId } : {}),
    ...(agentId !== undefined && level === 'site' ? { agentId } : {}),
  }
  // No old rows while new ones load, because Enter would select one of them.
  const { data, error, isFetching } = useDetail(routes[level], { query, enabled })
  return { rows: data?.rows as readonly Owner[] | undefined, more: data?.more ?? false, error, isFetching }
}
