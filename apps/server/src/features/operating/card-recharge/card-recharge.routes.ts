import { cardRecharge, cardRechargeList } from '@wattdeck/contract/operating/card-recharge.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { cardRechargeSource } from './card-recharge.store.ts'

const cardRechargeExport = exportOf('cardRecharge', cardRechargeList, cardRechargeSource)

const cardRechargeHandlers: Handlers<typeof cardRecharge> = {
  list: ({ db, scope, query }) => listQuery(db, scope, cardRechargeList, cardRechargeSource, query),
  exportList: exportHandler(cardRechargeExport),
}

export const cardRechargeFeature = defineFeature(cardRecharge, cardRechargeHandlers, { exports: [cardRechargeExport] })
