import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/api.ts'
import { type Count, withPageReply, emptyPages, pageRequest, withLinkCursor } from './known-pages.ts'
import { routeKey, type RowOf } from '../api/queries.ts'

/** A displayed page with the count of the filter, which is not repeated while paging. */
export type ShownPage<T> = Omit<Page<T>, 'total'> & Count
type Paged = { pageNum: number; pageSize: number; cursor?: string; skipCount?: boolean }
/** Every row of a list has an id. */
type RowIn<R extends AnyRoute> = RowOf<R> & { id: string }
type Wanted<R extends AnyRoute> = { query: QueryOf<R>; params?: ParamsOf<R>; enabled: boolean }

/** Reads the page of the query from the nearest known cursor before it (keyset pagination). */
export function usePages<R extends AnyRoute>(route: R, { query, params, enabled }: Wanted<R>) {
  const { cursor, skipCount: _, ...page } = query as Paged & Record<string, unknown>
  const { pageNum, pageSize, ...filter } = page
  const key = JSON.stringify([route.path, params ?? {}, pageSize, filter])
  const [pages, keep] = useState(() => emptyPages(key, pageSize))
  const fitting = (now: typeof pages) => withLinkCursor(now.key === key ? now : emptyPages(key, pageSize), cursor)
  const known = fitting(pages)

  async function ask(how: { cursor?: string; skipCount?: boolean }, signal?: AbortSignal) {
    const request = { query: { ...page, ...how } as unknown as Partial<QueryOf<R>>, ...(params ? { params } : {}) }
    return (await call(route, { ...request, ...(signal ? { signal } : {}) })).data as Page<RowIn<R>>
  }
  const queryKey = routeKey(route, params, page)
  const read = useQuery({
    queryKey,
    // The cursor is not part of the key: it is the same page whichever cursor it was read from.
    queryFn: async ({ signal }): Promise<ShownPage<RowIn<R>>> => {
      const reply = await ask(pageRequest(known, pageNum), signal)
      const after = withPageReply(known, pageNum, reply)
      keep((now) => withPageReply(fitting(now), pageNum, reply))
      return { ...reply, ...(after.count ?? { total: 0, bounded: false }) }
    },
    enabled,
    placeholderData: keepPreviousData,
  })
  /** Reads the current rows without a count, for a list that is patched in place. */
  const peek = async () => (await ask({ ...pageRequest(known, pageNum), skipCount: true })).rows
  return { read, known, queryKey, peek }
}
