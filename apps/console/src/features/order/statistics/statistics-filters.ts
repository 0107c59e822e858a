import { statBy, statSpan } from '@wattdeck/contract/order/statistics.ts'
import type { UserInfo } from '@wattdeck/contract/auth/session.ts'
import type { Filter } from '../../../kit/list/filters.ts'
import { maySelect } from '../../../kit/owner-region/owner.ts'

type Common = {
  span?: unknown
  by?: unknown
  organiseId?: unknown
  agentId?: unknown
  siteId?: unknown
  from?: unknown
  to?: unknown
}

/** Users with agents below them may also split by agent, although they need not select their own. */
const maySplit = (user: UserInfo | undefined, by: number) =>
  by === statBy.code.organise
    ? maySelect(user, 'organise')
    : user !== undefined && (by === statBy.code.site ? user.userType <= 3 : user.userType <= 2)

/** `own` are the filters of one page, placed before the owner. */
export function statFilters<Q extends Common>(user: UserInfo | undefined, own: readonly Filter<Q>[] = []): Filter<Q>[] {
  const by = statBy.options.filter(({ value }) => maySplit(user, value))
  return [
    { kind: 'select', name: 'span', label: '维度', options: statSpan.options },
    { kind: 'dates', from: 'from', to: 'to', label: '时间' },
    ...(by.length === 0 ? [] : [{ kind: 'select', name: 'by', label: '归属维度', options: by }]),
    ...own,
    { kind: 'owner' },
  ] as Filter<Q>[]
}
