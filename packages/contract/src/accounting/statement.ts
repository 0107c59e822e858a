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
