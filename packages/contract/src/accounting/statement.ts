import { z } from 'zod'
import { money, row, time } from '../kit/wire.ts'
import { postingKind } from './ledger-codes.ts'

/** One line of an account statement. */
export type StatementEntry = z.infer<typeof StatementEntry>
export const StatementEntry = row({
  id: z.string().describe('posting id and line number'),
  at: time,
  kind: postingKind.schema,
  ref: z.string().describe('number of the order, recharge or request'),
  amount: money.describe('positive for incoming money'),
  balance: money.nullable().describe('balance after the entry; null for accounts without a balance per line'),
})

/** One business event of a wallet: a charge is one line with its ledger entries. */
export type WalletEvent = z.infer<typeof WalletEvent>
export const WalletEvent = StatementEntry.extend({
  held: money.nullable().describe('reserved before the charge; null without a reservation'),
  returned: money.nullable().describe('released part of the reservation'),
  legs: z.array(StatementEntry).describe('ledger entries, oldest first'),
})
