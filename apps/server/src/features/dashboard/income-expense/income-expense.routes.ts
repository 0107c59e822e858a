import { incomeExpense, incomeExpenseList } from '@wattdeck/contract/dashboard/income-expense.ts'
import { exportHandler, exportOf } from '../../../kit/bulk/list-export.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { listEntries, sumEntries } from './income-expense.store.ts'

const incomeExpenseExport = exportOf('incomeExpense', incomeExpenseList, listEntries)

const incomeExpenseHandlers: Handlers<typeof incomeExpense> = {
  list: ({ db, scope, query }) => listEntries(db, scope, query),
  totals: async ({ db, scope, query }) => ({ sums: await sumEntries(db, scope, query) }),
  exportList: exportHandler(incomeExpenseExport),
}

export const incomeExpenseFeature = defineFeature(incomeExpense, incomeExpenseHandlers, {
  exports: [incomeExpenseExport],
})
