import { rechargeList, rechargeRecord } from '@wattdeck/contract/order/recharge-record.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { listQuery } from '../../../kit/db/list-query.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { checkSpan } from '../_shared/order-totals.rules.ts'
import { rechargeSource, rechargeTotals } from './recharge-record.store.ts'

const rechargeExport = exportOf('rechargeRecord', rechargeList, rechargeSource)

const rechargeRecordHandlers: Handlers<typeof rechargeRecord> = {
  list: ({ db, scope, query }) => listQuery(db, scope, rechargeList, rechargeSource, query),
  totals: async ({ db, scope, query }) => {
    checkSpan(query)
    return rechargeTotals(db, scope, query)
  },
  exportList: exportHandler(rechargeExport),
}

export const rechargeRecordFeature = defineFeature(rechargeRecord, rechargeRecordHandlers, {
  exports: [rechargeExport],
})
