import { ownMoneyKinds } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { StatementEntry } from '@wattdeck/contract/accounting/statement.ts'
import { accountDetail } from '@wattdeck/contract/dashboard/account-detail.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { exportHandler } from '../../../kit/bulk/list-export.ts'
import type { Handlers } from '../../../kit/http/handlers.ts'
import { orNotFound } from '../../../kit/http/refusal.ts'
import { listEntries } from '../../../core/ledger/statement.ts'
import { accountExport } from './account-detail.export.ts'
import * as store from './account-detail.store.ts'

const negated = (amount: string) => (/^-|^0\.00$/.test(amount) ? amount.replace('-', '') : `-${amount}`)
/** Reverses the sign, as the account list does. */
const mirrored = (entry: StatementEntry): StatementEntry => ({
  ...entry,
  amount: negated(entry.amount),
  balance: entry.balance === null ? null : negated(entry.balance),
})

const accountDetailHandlers: Handlers<typeof accountDetail> = {
  list: ({ db, scope, query }) => store.listAccounts(db, scope, query),

  entries: async ({ db, params, query }) => {
    const account = orNotFound(await store.findAccount(db, params.id))
    const found = await listEntries(db, account, query)
    return ownMoneyKinds.has(account.kind) ? { ...found, rows: found.rows.map(mirrored) } : found
  },

  exportList: exportHandler(accountExport),
}

export const accountDetailFeature = defineFeature(accountDetail, accountDetailHandlers, { exports: [accountExport] })
