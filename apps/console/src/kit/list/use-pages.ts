import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { type Count, learned, nothingKnown, pageRequest, seeded } from './known-pages.ts'
import { routeKey, type RowOf } from '../api/queries.ts'

/** A page as it is shown: with the count of the filter, which is not asked for again while pages are turned. */
export type ShownPage<T> = Omit<Page<T>, 'total'> & Count
type Paged = { pageNum: number; pageSize: number; cursor?: string; skipCount?: boolean }
/** Every row of a list has an id. */
type RowIn<R extends AnyRoute> = RowOf<R> & { id: string }
type Wanted<R extends AnyRoute> = { query: QueryOf<R>; params?: ParamsOf<R>; enabled: boolean }

/** Reads the page that the query names, from the nearest place that is known before it. */
export function usePages<R extends AnyRoute>(route: R, { query, params, enabled }: Wanted<R>) {
  const { cursor, skipCount: _, ...page } = query as Paged & Record<string, unknown>
  const { pageNum, pageSize, ...filter } = page
  const key = JSON.stringify([route.path, params ?? {}, pageSize, filter])
  const [kept, keep] = useState(() => nothingKnown(key, pageSize))
  const fitting = (now: typeof kept) => seeded(now.key === key ? now : nothingKnown(key, pageSize), cursor)
  const known = fitting(kept)

  async function ask(how: { cursor?: string; skipCount?: boolean }, signal?: AbortSignal) {
    const asked = { query: { ...page, ...how } as unknown as Partial<QueryOf<R>>, ...(params ? { params } : {}) }
    return (await call(route, { ...asked, ...(signal ? { signal } : {}) })).data as Page<RowIn<R>>
  }
  const queryKey = routeKey(route, params, page)
  const read = useQuery({
    queryKey,
    // The place a page is read from is no part of its name: it is the same page from wherever it was reached.
    queryFn: async ({ signal }): Promise<ShownPage<RowIn<R>>> => {
      const reply = await ask(pageRequest(known, pageNum), signal)
      const after = learned(known, pageNum, reply)
      keep((now) => learned(fitting(now), pageNum, reply))
      return { ...reply, ...(after.count ?? { total: 0, bounded: false }) }
    },
    enabled,
    placeholderData: keepPreviousData,
  })
  /** The rows as they are now, for a list that is patched in place; nothing is counted for it. */
  const peek = async () => (await ask({ ...pageRequest(known, pageNum), skipCount: true })).rows
  return { read, known, queryKey, peek }
}
