import { cardSwipe, cardSwipeList } from '@wattdeck/contract/operating/card-swipe.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { swipeSource } from './card-swipe.store.ts'

const swipeExport = exportOf('cardSwipe', cardSwipeList, swipeSource)

const cardSwipeHandlers: Handlers<typeof cardSwipe> = {
  list: ({ db, scope, query }) => listQuery(db, scope, cardSwipeList, swipeSource, query),
  exportList: exportHandler(swipeExport),
}

export const cardSwipeFeature = defineFeature(cardSwipe, cardSwipeHandlers, { exports: [swipeExport] })
