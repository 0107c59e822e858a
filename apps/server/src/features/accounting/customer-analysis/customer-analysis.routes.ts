import { customerAnalysis } from '@wattdeck/contract/accounting/customer-analysis.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { customerAnalysisExport } from './customer-analysis.export.ts'
import { listCustomers } from './customer-analysis.store.ts'

const customerAnalysisHandlers: Handlers<typeof customerAnalysis> = {
  list: ({ db, scope, query }) => listCustomers(db, scope, query),

  exportList: exportHandler(customerAnalysisExport),
}

export const customerAnalysisFeature = defineFeature(customerAnalysis, customerAnalysisHandlers, {
  exports: [customerAnalysisExport],
})
