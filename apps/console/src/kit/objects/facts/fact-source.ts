import type { AnyRoute, DataOf, ParamsOf, QueryOf } from '@wattdeck/contract/kit/route.ts'
import type { ReactNode } from 'react'
import { call } from '../../api/api.ts'

export const mostFacts = 6
export type Facts = { title: string; facts: readonly (readonly [label: string, value: ReactNode])[] }
/** Reads the facts of one kind through a route that a page of the console uses already. */
export type FactSource = { route: AnyRoute; load: (id: string, signal: AbortSignal) => Promise<Facts> }

type Input<R extends AnyRoute> = { params?: ParamsOf<R>; query?: Partial<QueryOf<R>> }

export const factSource = <R extends AnyRoute>(
  route: R,
  inputOf: (id: string) => Input<R>,
  show: (data: DataOf<R>, id: string) => Facts | undefined,
): FactSource => ({
  route,
  load: async (id, signal) => {
    const { data } = await call(route, { ...inputOf(id), signal } as Parameters<typeof call<R>>[1])
    return show(data, id) ?? { title: id, facts: [['状态', '记录不存在或不在可见范围内']] }
  },
})
