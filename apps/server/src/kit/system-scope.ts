import { maxBigint, type Scope } from './scope.ts'

/**
 * The scope of the system itself: sees every organisation. For what happens before anybody is known (login, session
 * lookup) and for workers. The layout check refuses an import of this file from anywhere else.
 */
export const systemScope = {
  level: 0,
  organiseLo: '0',
  organiseHi: maxBigint,
  agentIds: [],
  siteIds: [],
} as unknown as Scope
