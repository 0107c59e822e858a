import { cardBuyList, memberCardBuy } from '@wattdeck/contract/order/member-card-buy.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { orNotFound } from '../../../kit/http/refusal.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { cardBuySource, cardBuyTotals, readCardBuy } from './member-card-buy.store.ts'

const cardBuyExport = exportOf('memberCardBuy', cardBuyList, cardBuySource)

const memberCardBuyHandlers: Handlers<typeof memberCardBuy> = {
  list: ({ db, scope, query }) => listQuery(db, scope, cardBuyList, cardBuySource, query),
  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return cardBuyTotals(db, scope, query)
  },
  detail: async ({ db, scope, params }) => orNotFound(await readCardBuy(db, scope, params.id)),
  exportList: exportHandler(cardBuyExport),
}

export const memberCardBuyFeature = defineFeature(memberCardBuy, memberCardBuyHandlers, { exports: [cardBuyExport] })
