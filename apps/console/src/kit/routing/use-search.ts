import { useCallback } from 'react'
import { createSearchParams, type Location, useLocation, useSearchParams } from 'react-router'

/** The navigation that has begun at a location and is not shown yet. */
let begun: { at: Location; params: URLSearchParams } | undefined

type Change = URLSearchParams | Record<string, string> | ((now: URLSearchParams) => URLSearchParams)

/**
 * The search parameters of the address. A change applies to the newest address, also while the page still shows the one
 * before: the hook of the router computes it from the shown address, so that a second filter chosen quickly undid the first.
 */
export function useSearch() {
  const [shown, navigate] = useSearchParams()
  const at = useLocation()
  const change = useCallback(
    (to: Change, how?: { replace?: boolean }) => {
      const now = begun?.at === at ? begun.params : shown
      const params = createSearchParams(typeof to === 'function' ? to(new URLSearchParams(now)) : to)
      begun = { at, params }
      navigate(params, how)
    },
    [at, navigate, shown],
  )
  return [shown, change] as const
}
