import type { Page } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../api/api.ts'
import type { Count } from '../known-pages.ts'
import { badgeText } from './view-model.ts'

type Props = {
  route: AnyRoute
  params: object | undefined
  /** The filters whose rows are counted. */
  text: string
  /** The count, if these rows are on the screen already. */
  known: Count | undefined
  ready: boolean
  onSettled: () => void
}

const freshMs = 60_000

/** The number of rows of a view. Its query key begins with the list's, so that both are refetched together. */
export function ViewCount({ route, params, text, known, ready, onSettled }: Props) {
  const { data, isFetched } = useQuery({
    queryKey: [route.path, params ?? {}, { count: text }],
    queryFn: async ({ signal }): Promise<Count> => {
      const query = { ...Object.fromEntries(new URLSearchParams(text)), pageSize: 1 }
      const { total, bounded } = (await call(route, { query, params, signal })).data as Page<unknown>
      return { total: total ?? 0, bounded }
    },
    enabled: ready && known === undefined,
    staleTime: freshMs,
  })
  const settled = known !== undefined || isFetched
  const notify = useEffectEvent(onSettled)
  useEffect(() => {
    if (settled) notify()
  }, [settled])
  const count = known ?? data
  return count && <span className="view-count">{badgeText(count)}</span>
}
