import { accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { notFound } from '../../../kit/http/refusal.ts'
import { listEntries } from '../../../core/ledger/statement.ts'
import { accountExport } from './account-detail.export.ts'
import * as store from './account-detail.store.ts'

const accountDetailHandlers: Handlers<typeof accountDetail> = {
  list: ({ db, scope, query }) => store.listAccounts(db, scope, query),

  entries: async ({ db, params, query }) => {
    const account = await store.findAccount(db, params.id)
    if (account === undefined) throw notFound()
    return listEntries(db, account, query)
  },

  exportList: exportHandler(accountExport),
}

export const accountDetailFeature = defineFeature(accountDetail, accountDetailHandlers, { exports: [accountExport] })
