import { useMemo, useState } from 'react'
import { useSearch } from '../../../kit/routing/use-search.ts'
import { readState, shanghaiToday, withChanges } from './analysis-state.ts'

/** The state of the page, stored completely in the URL. */
export function useAnalysis() {
  const [params, setParams] = useSearch()
  const search = params.toString()
  // The day on which the page was opened, so the content does not change at midnight.
  const [today] = useState(() => shanghaiToday(Date.now()))
  return useMemo(() => {
    const state = readState(new URLSearchParams(search), today)
    const query = { ...state.owners, ...state.days }
    return {
      state,
      query,
      grained: { ...query, grain: state.grain },
      chosen: (name: string) => new URLSearchParams(search).get(name),
      change: (changes: Record<string, string | undefined>) => setParams((now) => withChanges(now, changes)),
    }
  }, [search, today, setParams])
}
export type Analysis = ReturnType<typeof useAnalysis>
