declare const scopeBrand: unique symbol

/** Which rows a transaction may see. Only this file and system-scope.ts make one, so a store cannot invent it. */
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

/** A person's scope follows from where they are attached, never from what they ask for. */
export function scopeOf(person: Attachment): Scope {
  const organise = { organiseId: person.organiseId, agentIds: [], siteIds: [] }
  if (person.siteId !== null) return { ...organise, level: 3, siteIds: [person.siteId] } as unknown as Scope
  if (person.agentId !== null) return { ...organise, level: 2, agentIds: person.agentIds } as unknown as Scope
  if (person.isPlatform) return { ...organise, level: 0, organiseId: '0' } as unknown as Scope
  return { ...organise, level: 1 } as unknown as Scope
}

/** With one more agent in it. Only `seeingNewAgent` makes use of it, which asks row security first. */
export const withAgent = (scope: Scope, agentId: string): Scope =>
  scope.level === 2 ? ({ ...scope, agentIds: [...scope.agentIds, agentId] } as unknown as Scope) : scope

/** Everything of one organisation. Only `seeingWholeOrganise` makes use of it, for what the caller's scope has shown. */
export const wholeOrganise = (organiseId: string): Scope =>
  ({ level: 1, organiseId, agentIds: [], siteIds: [] }) as unknown as Scope
