import type { Scope } from './scope.ts'

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
  /** No person but a wall that shows figures by a link; what it asks for is confined to these fields. */
  screen?: { linkId: string; fixed: Readonly<Record<string, string>> }
}

/** The columns that place a row where its maker stands. */
export const placeOf = (actor: Actor) => ({
  organise_id: actor.organiseId,
  agent_id: actor.agentId,
  site_id: actor.siteId,
})
