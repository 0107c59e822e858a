import type { AnyRoute, BodyOf, DataOf } from '@wattdeck/contract/kit/route.ts'
import { createContext, use } from 'react'
import { call } from '../../../kit/api/api.ts'
import { bearerToken } from '../../../kit/api/token.ts'

/** Who asks for the figures of a wallboard: somebody who is logged in, or the holder of a link. */
export type WallboardSource = {
  /** Figures of one are not shown by the other. */
  key: string
  read: <R extends AnyRoute>(route: R, body: BodyOf<R>, signal: AbortSignal) => Promise<DataOf<R>>
  authorization: () => string
  /** For the stream: an organisation, or '0' for everything in sight. */
  organiseId: string
  /** Calls that a link confined to a class of devices cannot make, because members belong to none. */
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
