import type { AnyRoute, BodyOf, DataOf } from '@wattdeck/contract/kit/route.ts'
import { createContext, use } from 'react'
import { call } from '../../../kit/api/api.ts'
import { bearerToken } from '../../../kit/api/token.ts'

/** The data source of a wallboard: a logged-in user, or the holder of a link. */
export type WallboardSource = {
  /** Separates the caches of different sources. */
  key: string
  read: <R extends AnyRoute>(route: R, body: BodyOf<R>, signal: AbortSignal) => Promise<DataOf<R>>
  authorization: () => string
  /** For the stream: an organisation, or '0' for the whole scope. */
  organiseId: string
  /** False for a link restricted to a device class, because members belong to none. */
  hasMembers: boolean
}

export const consoleSource = (organiseId = '0'): WallboardSource => ({
  key: `session ${organiseId}`,
  read: async (route, body, signal) => (await call(route, { body, signal })).data,
  authorization: () => `Bearer ${bearerToken() ?? ''}`,
  organiseId,
  hasMembers: true,
})

export const WallboardSourceContext = createContext<WallboardSource>(consoleSource())
export const useWallboardSource = () => use(WallboardSourceContext)
