import { analysis } from '@wattdeck/contract/dashboard/analysis.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import * as downtime from './analysis.downtime.store.ts'
import * as sites from './analysis.sites.store.ts'
import * as store from './analysis.store.ts'

const analysisHandlers: Handlers<typeof analysis> = {
  deviceTypes: ({ db }) => store.readDeviceTypes(db),

  kpis: ({ db, scope, query }) => store.readKpis(db, scope, query),

  trend: async ({ db, scope, query }) => ({ rows: await store.readTrend(db, scope, query) }),

  types: async ({ db, scope, query }) => ({ rows: await store.readTypes(db, scope, query) }),

  sites: async ({ db, scope, query }) => ({ rows: await sites.readSites(db, scope, query) }),

  heat: ({ db, scope, query }) => store.readHeat(db, scope, query),

  retention: async ({ db, scope, query }) => ({ rows: await store.readRetention(db, scope, query) }),

  usage: ({ db, scope, query }) => downtime.readUsage(db, scope, query),

  downtime: ({ db, scope, query }) => downtime.readDowntime(db, scope, query),
}

export const analysisFeature = defineFeature(analysis, analysisHandlers)
