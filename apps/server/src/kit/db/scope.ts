declare const scopeBrand: unique symbol

/** The rows that a transaction may see. Only this file and system-scope.ts create scopes; the brand stops other code. */
export type Scope = {
  /** 0 the platform, 1 one organisation, 2 some agents of it, 3 some sites of it. */
  level: 0 | 1 | 2 | 3
  /** '0' for the platform, which sees every organisation. */
  organiseId: string
  agentIds: readonly string[]
  siteIds: readonly string[]
} & { readonly [scopeBrand]: true }

export type Attachment = {
  organiseId: string
  isPlatform: boolean
  agentId: string | null
  agentIds: readonly string[]
  siteId: string | null
}

/** A person's scope depends on their tenant, never on the request. */
export function scopeOf(person: Attachment): Scope {
  const organise = { organiseId: person.organiseId, agentIds: [], siteIds: [] }
  if (person.siteId !== null) return { ...organise, level: 3, siteIds: [person.siteId] } as unknown as Scope
  if (person.agentId !== null) return { ...organise, level: 2, agentIds: person.agentIds } as unknown as Scope
  if (person.isPlatform) return { ...organise, level: 0, organiseId: '0' } as unknown as Scope
  return { ...organise, level: 1 } as unknown as Scope
}

/** Adds an agent to a scope. Only `withNewAgentScope` uses it, after a check by row-level security. */
export const withAgent = (scope: Scope, agentId: string): Scope =>
  scope.level === 2 ? ({ ...scope, agentIds: [...scope.agentIds, agentId] } as unknown as Scope) : scope

/** The scope of a whole organisation. Only `withWholeOrganiseScope` uses it, for an organisation found in the caller's scope. */
export const wholeOrganise = (organiseId: string): Scope =>
  ({ level: 1, organiseId, agentIds: [], siteIds: [] }) as unknown as Scope
