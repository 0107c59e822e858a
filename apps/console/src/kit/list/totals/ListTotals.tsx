import { filterFields } from '@wattdeck/contract/kit/list-filter.ts'
import type { Totals } from '@wattdeck/contract/kit/page.ts'
import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../../api/api.ts'
import { errorText } from '../../api/error-handling.ts'
import { type ListTotalsParams, totalsText } from './totals.ts'

type Props = {
  totals: ListTotalsParams
  /** The list that the totals belong to; both are refetched together. */
  list: AnyRoute
  params: object | undefined
  /** The filters of the list. */
  text: string
  /** Few enough rows to be summed up without a click. */
  auto: boolean
}

/** The sums of the whole filter, not just of this page. */
export function ListTotals({ totals: { route, items }, list, params, text, auto }: Props) {
  const [requestedText, setRequestedText] = useState<string>()
  const isEnabled = auto || requestedText === text
  const read = useQuery({
    queryKey: [list.path, params ?? {}, { totals: text }],
    queryFn: async ({ signal }) => {
      const fields = filterFields(route.query)
      const query = Object.fromEntries([...new URLSearchParams(text)].filter(([name]) => fields.has(name)))
      return (await call(route, { query, params, signal })).data as Totals
    },
    enabled: isEnabled,
  })
  if (!isEnabled)
    return (
      <Button type="link" size="small" onClick={() => setRequestedText(text)}>
        计算合计
      </Button>
    )
  if (read.data) return <span className={read.isFetching ? 'stale' : ''}>{totalsText(items, read.data)}</span>
  if (!read.error) return <span className="meta">合计计算中…</span>
  return (
    <span role="alert">
      合计未能计算：{errorText(read.error)}
      <Button type="link" size="small" onClick={() => void read.refetch()}>
        重试
      </Button>
    </span>
  )
}
