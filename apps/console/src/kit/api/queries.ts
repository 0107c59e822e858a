import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute, DataOf, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { keepPreviousData, QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { call } from './api.ts'

/** One cache per tab. Spec §7: table data is not retried; a query that enables retries waits a second. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, retryDelay: 1000, refetchOnWindowFocus: false, staleTime: 0 },
    mutations: { retry: false },
  },
})

export const routeKey = (route: AnyRoute, params?: unknown, query?: unknown) => [route.path, params ?? {}, query ?? {}]

/** Invalidates the data of these routes and refetches what is on the screen. */
export const refetchRoutes = (routes: readonly AnyRoute[]) =>
  Promise.all(routes.map((route) => queryClient.invalidateQueries({ queryKey: [route.path] })))

export type RowOf<R extends AnyRoute> = DataOf<R> extends Page<infer Row> ? Row : never
type Reading<R extends AnyRoute> = { params?: ParamsOf<R>; query?: Partial<QueryOf<R>>; enabled?: boolean }

function useRead<R extends AnyRoute>(route: R, reading: Reading<R>, keep: boolean): UseQueryResult<DataOf<R>> {
  return useQuery({
    queryKey: routeKey(route, reading.params, reading.query),
    queryFn: async ({ signal }) => (await call(route, { ...reading, signal })).data,
    enabled: reading.enabled ?? true,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  }) as UseQueryResult<DataOf<R>>
}

/** Reads a page of rows; the old rows stay while the next page loads. */
export const useList = <R extends AnyRoute>(route: R, reading: Reading<R> = {}) => useRead(route, reading, true)

/** Reads one record, or the options of a field. */
export const useDetail = <R extends AnyRoute>(route: R, reading: Reading<R> = {}) => useRead(route, reading, false)
