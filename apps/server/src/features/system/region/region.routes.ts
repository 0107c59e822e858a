import { region } from '@wattdeck/contract/system/region.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { childrenOf } from './region.store.ts'

const regionHandlers: Handlers<typeof region> = {
  children: ({ db, query }) => childrenOf(db, query.parent),
}

export const regionFeature = defineFeature(region, regionHandlers)
