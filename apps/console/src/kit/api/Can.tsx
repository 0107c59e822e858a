import type { AnyRoute } from '@wattdeck/contract/kit/route.ts'
import type { ReactNode } from 'react'
import { mayCall } from './rights.ts'
import { useUser } from './user.ts'

export function useCan(route: AnyRoute): boolean {
  return mayCall(useUser(), route.access)
}

/** Renders its children only if the user may call the route. The server enforces the right again. */
export function Can({ route, children }: { route: AnyRoute; children: ReactNode }) {
  return useCan(route) ? children : null
}
