import type { Scope } from './scope.ts'

/**
 * The scope of the system itself, which sees every organisation. For authentication (login, session lookup) and for workers.
 * The layout check refuses an import of this file from anywhere else.
 */
export const systemScope = {
  level: 0,
  organiseId: '0',
  agentIds: [],
  siteIds: [],
} as unknown as Scope
