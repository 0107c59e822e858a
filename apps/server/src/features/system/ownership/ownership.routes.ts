import { ownership } from '@wattdeck/contract/system/ownership.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { invalid } from '../../../kit/http/refusal.ts'
import type { Scope } from '../../../kit/db/scope.ts'
import * as store from './ownership.store.ts'

/** A search by name reads the rows of one organisation, never those of all. */
function assertOneOrganise(scope: Scope, query: { organiseId?: string | undefined; ids?: string[] | undefined }): void {
  if (scope.level === 0 && query.organiseId === undefined && query.ids === undefined)
    throw invalid('请先选择机构', 'organiseId')
}

const ownershipHandlers: Handlers<typeof ownership> = {
  organises: ({ db, query }) => store.organisesToChoose(db, query),

  agents: async ({ db, scope, query }) => {
    assertOneOrganise(scope, query)
    return store.agentsToChoose(db, scope, query)
  },

  sites: async ({ db, scope, query }) => {
    assertOneOrganise(scope, query)
    return store.sitesToChoose(db, scope, query)
  },
}

export const ownershipFeature = defineFeature(ownership, ownershipHandlers)
