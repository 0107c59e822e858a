import { forbidden } from '../http/refusal.ts'
import type { Scope } from '../db/scope.ts'

/** Who makes a request, with the rights they hold now. */
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
  /** No person but a wallboard that shows figures by a link; what it asks for is confined to these fields. */
  screen?: { linkId: string; fixed: Readonly<Record<string, string>> }
}

/**
 * Refuses whoever works in another's name: they could ask as one person and decide as the other, or leave themselves a
 * way into an account that is not theirs.
 */
export function asThemselves({ actor }: { actor: Actor }): void {
  if (actor.actedBy !== null) throw forbidden()
}

/** The columns that place a row where its maker stands. */
export const placeOf = (actor: Actor) => ({
  organise_id: actor.organiseId,
  agent_id: actor.agentId,
  site_id: actor.siteId,
})
