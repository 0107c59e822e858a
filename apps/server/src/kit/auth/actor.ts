import { forbidden } from '../http/refusal.ts'
import type { Scope } from '../db/scope.ts'

/** The person behind a request, with their current rights. */
export type Actor = {
  sessionId: string
  userId: string
  userName: string
  loginName: string
  userType: 1 | 2 | 3 | 4
  organiseId: string
  agentId: string | null
  siteId: string | null
  stage: 'full' | 'secondFactor' | 'enrol' | 'password'
  actedBy: string | null
  roleTopLevel: number
  unmask: boolean
  roleCodes: string[]
  menuKeys: string[]
  /** 'menu key:action' */
  grants: string[]
  scope: Scope
  /** Set for a wallboard that shows figures by a link. Its requests are confined to these fields. */
  screen?: { linkId: string; fixed: Readonly<Record<string, string>> }
}

/**
 * Refuses an actor who impersonates another person. Otherwise one person could request and approve, or leave themselves
 * access to the other account.
 */
export function refuseImpersonation({ actor }: { actor: Actor }): void {
  if (actor.actedBy !== null) throw forbidden()
}

/** The columns that assign a row to the tenant of its creator. */
export const placeOf = (actor: Actor) => ({
  organise_id: actor.organiseId,
  agent_id: actor.agentId,
  site_id: actor.siteId,
})
