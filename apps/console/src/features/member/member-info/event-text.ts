import { postingKind } from '@wattdeck/contract/accounting/ledger-codes.ts'
import type { WalletEvent } from '@wattdeck/contract/accounting/statement.ts'

const { release } = postingKind.code

/** A charge that never started releases the whole prepaid amount. */
export const eventTitle = ({ kind, held }: Pick<WalletEvent, 'kind' | 'held'>) =>
  kind === release && held !== null ? '充电取消' : postingKind.show(kind).label

/** 预付 50.00，退回 48.97 */
export const eventNote = ({ held, returned }: Pick<WalletEvent, 'held' | 'returned'>) =>
  held === null ? '' : `预付 ${held}，退回 ${returned ?? '0.00'}`
