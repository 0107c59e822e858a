import { z } from 'zod'
import { money, row, time } from '../kit/wire.ts'
import { postingKind } from './ledger-codes.ts'

/** One line of an account's statement. */
export type StatementEntry = z.infer<typeof StatementEntry>
export const StatementEntry = row({
  id: z.string().describe('the posting and its line'),
  at: time,
  kind: postingKind.schema,
  ref: z.string().describe('the number of the order, recharge or request'),
  amount: money.describe('positive comes in'),
  balance: money.nullable().describe('after it; null where an account is added up and keeps no balance for each line'),
})

/** One business event of a wallet: a charge is one line, with the entries that it is made of. */
export type WalletEvent = z.infer<typeof WalletEvent>
export const WalletEvent = StatementEntry.extend({
  held: money.nullable().describe('put aside before the charge; null where nothing was'),
  returned: money.nullable().describe('of it, given back'),
  legs: z.array(StatementEntry).describe('the entries of the ledger, the oldest first'),
})
