import { filterText } from '@wattdeck/contract/kit/list-filter.ts'
import type { AnyRoute, QueryOf } from '@wattdeck/contract/kit/route.ts'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSearch } from '../routing/use-search.ts'
import { hidePrivate, showPrivate } from './kept-filters.ts'
import {
  clearListQuery,
  readListQuery,
  type RefusedFilter,
  refusedFilters,
  viewListQuery,
  wantsAll,
  writeListQuery,
} from './list-query.ts'
import { splitPrivate } from './private-query.ts'

export type ListState<R extends AnyRoute> = {
  query: QueryOf<R>
  /** The filters as a query string, without the page; '' when nothing is filtered. */
  text: string
  /** Filters that the list cannot apply; while there is one, it shows no rows. */
  refused: readonly RefusedFilter[]
  /** A list whose state is in the URL has saved views. */
  inUrl: boolean
  /** All rows were requested explicitly, not just by the lack of a filter. */
  wantsAll: boolean
  set: (changes: Partial<QueryOf<R>>) => void
  reset: () => void
  /** Shows a view: the text of its filters, '' for all rows. */
  show: (text: string, how?: { replace: boolean }) => void
}

type Change = (to: (now: URLSearchParams) => URLSearchParams, how?: { replace: boolean }) => void
type Search = { params: URLSearchParams; inUrl: boolean; change: Change }

function useParsedState<R extends AnyRoute>(route: R, { params, inUrl, change }: Search): ListState<R> {
  const search = params.toString()
  const parsed = useMemo(() => {
    const now = new URLSearchParams(search)
    return {
      query: readListQuery(route.query as R['query'], now) as QueryOf<R>,
      text: filterText(route.query, now),
      refused: refusedFilters(route.query, now),
      wantsAll: wantsAll(now),
    }
  }, [route, search])
  return {
    ...parsed,
    inUrl,
    set: (changes) => change((now) => writeListQuery(route.query, now, changes as Record<string, unknown>)),
    reset: () => change((now) => clearListQuery(route.query, now)),
    show: (text, how) => change((now) => viewListQuery(route.query, now, text), how),
  }
}

/**
 * Filters and page of a list, kept in the URL so that a link shows a colleague the same rows. Personal filters are kept
 * in memory instead; a link that contains one is rewritten when it is opened.
 */
export function useListState<R extends AnyRoute>(route: R): ListState<R> {
  const [address, setAddress] = useSearch()
  const seen = hidePrivate(route.query, showPrivate(address)).toString()
  const isPrivate = seen !== address.toString() && splitPrivate(route.query, address).hidden.size > 0
  const hide = useEffectEvent(() => setAddress(new URLSearchParams(seen), { replace: true }))
  useEffect(() => {
    if (isPrivate) hide()
  }, [isPrivate])
  return useParsedState(route, {
    params: showPrivate(address),
    inUrl: true,
    change: (to, how) => setAddress((now) => hidePrivate(route.query, to(showPrivate(now))), how),
  })
}

/**
 * The same for a second list on a page, in a dialog or drawer, where the URL belongs to the page. `fixed` filters, such as
 * the site of the page, always apply.
 */
export function useLocalListState<R extends AnyRoute>(
  route: R,
  fixed: Readonly<Record<string, string>> = {},
): ListState<R> {
  const [params, setParams] = useState(() => new URLSearchParams(fixed))
  const change: Change = (to) =>
    setParams((now) => {
      const next = to(now)
      for (const [name, value] of Object.entries(fixed)) next.set(name, value)
      return next
    })
  return useParsedState(route, { params, inUrl: false, change })
}
