import { region } from '@wattdeck/contract/system/region.ts'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { routeKey } from '../api/queries.ts'
import { type RegionOption, regionOptions } from './region-options.ts'

/** Regions level by level: the provinces, the levels of a selected path, and the levels that the user opens. Cached. */
export function useRegionTree(path: readonly string[]): { options: RegionOption[]; open: (adcode: string) => void } {
  const [opened, setOpened] = useState<readonly string[]>([])
  const parents = [undefined, ...new Set([...path.slice(0, -1), ...opened])]
  const queries = useQueries({
    queries: parents.map((parent) => {
      const query = parent === undefined ? {} : { parent }
      return {
        queryKey: routeKey(region.children, {}, query),
        queryFn: async ({ signal }: { signal: AbortSignal }) => (await call(region.children, { query, signal })).data,
        staleTime: Infinity,
        retry: 1,
      }
    }),
  })
  const levels = parents.map((parent, place) => ({
    parent,
    rows: queries[place]?.data,
    loading: queries[place]?.isFetching ?? false,
  }))
  return {
    options: regionOptions(levels),
    open: (adcode) => {
      setOpened((now) => [...new Set([...now, adcode])])
      // Reopening a level that has failed retries it.
      const query = queries[parents.indexOf(adcode)]
      if (query?.isError) void query.refetch()
    },
  }
}
