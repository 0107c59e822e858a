import type { AnyRoute, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { clearListQuery, readListQuery, writeListQuery } from './list-query.ts'

export type ListState<R extends AnyRoute> = {
  query: QueryOf<R>
  set: (changes: Partial<QueryOf<R>>) => void
  reset: () => void
}

type Search = { params: URLSearchParams; change: (to: (now: URLSearchParams) => URLSearchParams) => void }

function useParsedState<R extends AnyRoute>(route: R, { params, change }: Search): ListState<R> {
  const text = params.toString()
  const query = useMemo(
    () => readListQuery(route.query as R['query'], new URLSearchParams(text)) as QueryOf<R>,
    [route, text],
  )
  return {
    query,
    set: (changes) => change((now) => writeListQuery(route.query, now, changes as Record<string, unknown>)),
    reset: () => change((now) => clearListQuery(route.query, now)),
  }
}

/** Filters and page of the list of a page: in the URL, so that a link shows a colleague the same rows. */
export function useListState<R extends AnyRoute>(route: R): ListState<R> {
  const [params, setParams] = useSearchParams()
  return useParsedState(route, { params, change: (to) => setParams((now) => to(now)) })
}

/** The same for a second list on a page, in a dialog or drawer, where the URL belongs to the page. */
export function useLocalListState<R extends AnyRoute>(route: R): ListState<R> {
  const [params, setParams] = useState(() => new URLSearchParams())
  return useParsedState(route, { params, change: setParams })
}
